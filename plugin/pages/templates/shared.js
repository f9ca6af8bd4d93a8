// The page is in a frame that may not navigate the whole window: a link of Airflow's own document may.
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || parent === window || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const outside = parent.document.createElement("a");
  Object.assign(outside, { href: link.href, target: link.target, rel: link.rel });
  outside.click();
});
const airflowLink = (link, path) => {
  link.href = `${document.querySelector("main").dataset.root}../${path}`;
  return link;
};
const runPath = (dag, run) => `dags/${encodeURIComponent(dag)}/runs/${encodeURIComponent(run)}`;
const make = (tag, name, ...children) => {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
};
const WORDS = {
  failed: "Failed", "in-doubt": "In doubt", waiting: "Waiting for a person", "timed-out": "Timed out", "left-out": "Left out",
  "under-way": "Under way", "not-begun": "Not started", skipped: "Skipped", made: "Made", delivered: "Delivered",
};
const STATES = Object.keys(WORDS);
const length = (minutes) => minutes > 0 && minutes < 1 ? `${Math.round(minutes * 60)} s` : `${minutes.toFixed(1)} min`;
const number = (count) => count.toLocaleString("en");
const inWords = (states) => STATES.filter((state) => states[state])
  .map((state) => `${number(states[state])} ${WORDS[state].toLowerCase()}`);
const said = ({ total, states, minutes, paid }) => {
  if (!total) return ["No videos yet", ""];
  const done = (states.delivered ?? 0) + (states.made ?? 0);
  const headline = `${number(done)} of ${number(total)} ${states.made ? "made" : "delivered"}`;
  const others = inWords({ ...states, delivered: 0, made: 0 });
  const made = paid ? [`${length(minutes)} of video made, ${length(paid)} paid for`] : [];
  return [headline, [...others, ...made].join(" · ")];
};
const drawBar = (bar, { total, states }) => {
  const drawn = [...STATES.filter((state) => state !== "not-begun").toReversed(), "not-begun"];
  bar.replaceChildren(...drawn.filter((state) => states[state]).map((state) => {
    const part = make("span", `part ${state}`);
    part.style.flexGrow = states[state];
    return part;
  }));
  bar.setAttribute("aria-label", total ? inWords(states).join(", ") : "No videos yet");
};
