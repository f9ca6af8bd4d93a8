const EVERY = 10000;
const { root, dag } = document.querySelector("main").dataset;
const place = document.getElementById("runs"), trouble = document.getElementById("trouble");
const lines = new Map();

const line = (run) => {
  const link = airflowLink(make("a", "name", run.id), `${runPath(dag, run.id)}/plugin/video_creation_run`);
  const bar = make("span", "bar");
  bar.setAttribute("role", "img");
  bar.setAttribute("aria-label", "Not read yet");
  const headline = make("strong"), numbers = make("span", "quiet");
  const at = run.at ? `${run.at.slice(0, 16).replace("T", " ")} UTC` : "";
  const item = make("li", "", link, make("span", "quiet", [at, run.state].filter(Boolean).join(" · ")), bar, headline, numbers);
  return { item, bar, headline, numbers, ended: false };
};
// One run after the other: a DAG's latest runs may have thousands of videos.
const look = async () => {
  const reply = await fetch(`${location.pathname.replace(/\/$/, "")}/runs.json`, { redirect: "manual" });
  if (!reply.ok) throw new Error(reply.status);
  const { runs } = await reply.json();
  for (const run of runs) if (!lines.has(run.id)) lines.set(run.id, line(run));
  const items = runs.map((run) => lines.get(run.id).item);
  if (items.some((item, at) => item !== place.children[at])) place.replaceChildren(...items);
  document.getElementById("none").textContent = runs.length ? "" : "This DAG has no runs yet.";
  for (const run of runs) {
    const shown = lines.get(run.id);
    if (shown.ended) continue;
    const counted = await fetch(`${root}videos/${encodeURIComponent(dag)}/${encodeURIComponent(run.id)}/videos.json?rows=false`);
    if (!counted.ok) continue;
    const told = await counted.json();
    const [headline, numbers] = said(told);
    drawBar(shown.bar, told);
    shown.headline.textContent = told.total ? headline : "No videos";
    shown.numbers.textContent = told.total ? numbers : "";
    shown.ended = told.ended;
  }
};
const tick = async () => {
  if (!document.hidden) {
    await look().then(() => { trouble.hidden = true; }, () => {
      trouble.textContent = "Airflow cannot show the runs at the moment. This page will try again.";
      trouble.hidden = false;
    });
  }
  setTimeout(tick, EVERY);
};
tick();
