const PAGE = 60, EVERY = 10000;
const byId = (id) => document.getElementById(id);
const main = document.querySelector("main");
const { root, dag, run } = main.dataset;
const source = `${location.pathname.replace(/\/$/, "")}/videos.json`;
const STEPS = {
  storyboard: "the preview is being made", render: "the video is being made", download: "being delivered",
  approval: "awaiting approval", video: "at the service", watch: "at the service", many: "at the service",
};
const HINTS = { waiting: "Open it to watch the preview, and to answer." };
const CAN_PLAY = new Set(["delivered", "made"]);
let told = null, version = "", only = "", page = 0, opened = null;

const keyOf = (row) => `${row.t}\n${row.i}\n${row.n}`;
const wordOf = (row) => row.s === "under-way" && STEPS[row.p] ? `${WORDS[row.s]}: ${STEPS[row.p]}` : WORDS[row.s];
const pathOf = (row, end = "") => {
  const place = [dag, run, row.t, row.i].map(encodeURIComponent).join("/");
  const one = row.p === "many" ? `?${new URLSearchParams({ video: row.n, ...("h" in row ? { shard: row.h } : {}) })}` : "";
  return `${root}tasks/${place}${end}${one}`;
};
const todoOf = (row) => row.d || HINTS[row.s] || "";
const textOf = (row) => [row.n, row.f, row.c, row.b, row.r, row.t].join("\n").toLowerCase();

// A picture is requested when its tile comes into view, and not before.
const inView = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    inView.unobserve(target);
    target.src = target.dataset.src;
  }
});
const picture = (row) => {
  if (!CAN_PLAY.has(row.s) || !row.r) return null;
  const frame = make("span", "picture");
  const image = make("img");
  image.alt = "";
  image.dataset.src = pathOf(row, "/poster");
  image.onload = () => frame.classList.add("there");
  image.onerror = () => image.remove();
  frame.append(image);
  inView.observe(image);
  return frame;
};
const tile = (row) => {
  const facts = make("span", "facts", make("strong", "name", row.n), make("span", `state ${row.s}`, wordOf(row)),
    "m" in row ? make("span", "quiet", length(row.m)) : null, row.f ? make("span", "quiet file", row.f) : null,
    row.c ? make("span", "cause", row.c) : null, todoOf(row) ? make("span", "quiet todo", todoOf(row)) : null);
  const button = make("button", "tile", picture(row), facts);
  button.type = "button";
  button.onclick = () => open(row);
  const item = make("li", "", button);
  item.dataset.key = keyOf(row);
  item.dataset.row = JSON.stringify(row);
  return item;
};
const ORDERS = {
  need: (one, other) => STATES.indexOf(one.s) - STATES.indexOf(other.s) || one.n.localeCompare(other.n, "en", { numeric: true }),
  name: (one, other) => one.n.localeCompare(other.n, "en", { numeric: true }),
  minutes: (one, other) => (other.m ?? -1) - (one.m ?? -1),
  run: () => 0,
};
const chosen = () => {
  const words = byId("search").value.trim().toLowerCase();
  const rows = told.rows.filter((row) => (!only || row.s === only) && (!words || textOf(row).includes(words)));
  return rows.sort(ORDERS[byId("sort").value]);
};
const drawTiles = () => {
  const rows = chosen(), pages = Math.max(1, Math.ceil(rows.length / PAGE));
  page = Math.min(page, pages - 1);
  const shown = rows.slice(page * PAGE, (page + 1) * PAGE);
  const before = new Map([...byId("tiles").children].map((item) => [item.dataset.key, item]));
  const items = shown.map((row) => {
    const item = before.get(keyOf(row));
    return item?.dataset.row === JSON.stringify(row) ? item : tile(row);
  });
  const now = [...byId("tiles").children];
  if (now.length !== items.length || now.some((item, at) => item !== items[at])) {
    const focused = document.activeElement?.closest("#tiles li")?.dataset.key;
    byId("tiles").replaceChildren(...items);
    if (focused) items.find((item) => item.dataset.key === focused)?.firstChild.focus();
  }
  const from = rows.length ? page * PAGE + 1 : 0;
  byId("shown").textContent = told.rows.length === 0 ? "" : `${number(from)}–${number(page * PAGE + shown.length)} of ${number(rows.length)} shown`;
  byId("pages").hidden = pages === 1;
  byId("page").textContent = `Page ${page + 1} of ${pages}`;
  byId("previous").disabled = page === 0;
  byId("next").disabled = page === pages - 1;
};
const drawStates = () => {
  const states = ["", ...STATES.filter((state) => told.states[state] || state === only)];
  const buttons = states.map((state) => {
    const count = state ? told.states[state] ?? 0 : told.total;
    const button = make("button", state, `${state ? WORDS[state] : "All"} ${number(count)}`);
    button.type = "button";
    button.value = state;
    button.setAttribute("aria-pressed", String(state === only));
    button.onclick = () => { only = state; page = 0; draw(); };
    return button;
  });
  const focused = byId("states").contains(document.activeElement) ? document.activeElement.value : null;
  byId("states").replaceChildren(...buttons);
  if (focused !== null) buttons.find((button) => button.value === focused)?.focus();
};
const draw = () => {
  const [headline, numbers] = said(told);
  byId("headline").textContent = headline;
  byId("numbers").textContent = numbers;
  byId("budgets").textContent = told.budgets.join("\n");
  drawBar(byId("bar"), told);
  drawStates();
  drawTiles();
};
const fact = (name, value) => make("div", "", make("dt", "", name), make("dd", "", value));
const drawOne = (row) => {
  byId("one-name").textContent = row.n;
  const facts = [["State", wordOf(row)], ["What happened", row.c],
    ["What to do", row.s in HINTS ? "" : todoOf(row)], ["File", row.f],
    ["Length", "m" in row ? length(row.m) : ""], ["Task", row.i < 0 ? row.t : `${row.t}[${row.i}]`]].filter(([, value]) => value);
  const lines = row.a ? [fact("Line for the DAG", make("code", "", row.a))] : [];
  byId("one-facts").replaceChildren(make("dl", "", ...facts.map((pair) => fact(...pair)), ...lines));
  const task = `${runPath(dag, run)}/tasks/${encodeURIComponent(row.t)}${row.i < 0 ? "" : `/mapped/${row.i}`}`;
  airflowLink(byId("log"), task);
};
// A video of a task that makes many has a page once it has a job; one that was left out has none.
const hasPage = (row) => row.p !== "choice" && (row.p !== "many" || row.b || row.r);
const drawPlayer = async (row, again) => {
  if (!hasPage(row)) return byId("one-shown").replaceChildren();
  const reply = await fetch(pathOf(row), { redirect: "manual" });
  // Its style is this page's already, and has a nonce of its own.
  const text = (await reply.text()).replace(/<style[^]*?<\/style>/, "");
  const fresh = new DOMParser().parseFromString(text, "text/html").querySelector("main");
  if (!fresh || !opened || keyOf(opened) !== keyOf(row)) return;
  const place = byId("one-shown");
  // A player that is playing is left alone.
  if (again && place.dataset.shows === fresh.dataset.shows) return;
  place.dataset.shows = fresh.dataset.shows;
  // These are shown above it already.
  const isTwice = (fact) => ["File", "Line for the DAG"].includes(fact.firstChild.textContent);
  for (const twice of fresh.querySelectorAll("h1, .told")) twice.remove();
  for (const fact of fresh.querySelectorAll("dl > div")) if (isTwice(fact)) fact.remove();
  place.replaceChildren(...fresh.childNodes);
  const asks = place.querySelector(".asks");
  if (asks) await offerAnswer(asks);
};
const open = (row) => {
  opened = row;
  byId("one-shown").replaceChildren(make("p", "quiet", "Reading the job at the service."));
  drawOne(row);
  byId("one").showModal();
  drawPlayer(row, false).catch(() => byId("one-shown").replaceChildren());
};
byId("one").onclose = () => { opened = null; byId("one-shown").replaceChildren(); };
byId("close").onclick = () => byId("one").close();
byId("one").onclick = (event) => { if (event.target === byId("one")) byId("one").close(); };

const trouble = (words) => { byId("trouble").textContent = words; byId("trouble").hidden = !words; };
const look = async () => {
  const reply = await fetch(`${source}?${new URLSearchParams({ seen: version })}`, { redirect: "manual" });
  if (reply.status === 204) return trouble("");
  if (!reply.ok) {
    return trouble(reply.status === 503 ? "Airflow's API is not answering at the moment. This page will try again."
      : "Airflow no longer shows you this. Log in again, and reload the page.");
  }
  version = reply.headers.get("X-Version") ?? "";
  told = await reply.json();
  trouble("");
  draw();
  if (!opened) return;
  const row = told.rows.find((other) => keyOf(other) === keyOf(opened));
  if (row) { opened = row; drawOne(row); }
};
const tick = async () => {
  if (!document.hidden && !told?.ended) {
    await look().catch(() => trouble("Airflow cannot be reached at the moment. This page will try again."));
    if (opened) await drawPlayer(opened, true).catch(() => {});
  }
  setTimeout(tick, EVERY);
};
byId("choice").onsubmit = (event) => event.preventDefault();
byId("search").oninput = () => { page = 0; if (told) drawTiles(); };
byId("sort").onchange = () => { page = 0; if (told) drawTiles(); };
const turn = (by) => { page += by; drawTiles(); byId("headline").scrollIntoView(); };
byId("previous").onclick = () => turn(-1);
byId("next").onclick = () => turn(1);
tick();
