// A question of Airflow's to a person, answered here: by Airflow's own API, with that person's login. So Airflow
// judges who may answer, and writes down who did.
const NOT_TAKEN = {
  401: "You are no longer logged in. Log in to Airflow, and open this page again.",
  403: "You are not allowed to answer this.", 409: "Someone has already answered.",
};
const offerAnswer = async (place) => {
  airflowLink(place.querySelector("a"), place.dataset.form);
  const question = `${document.querySelector("main").dataset.root}..${place.dataset.question}`;
  const reply = await fetch(question);
  const asked = reply.ok ? await reply.json() : null;
  // What has fields of its own needs Airflow's form.
  if (!asked || asked.response_received || asked.multiple || Object.keys(asked.params ?? {}).length) return;
  const status = make("span");
  status.setAttribute("role", "status");
  status.tabIndex = -1;
  const answers = make("span", "answers", ...asked.options.map((option) => {
    const button = make("button", "", option);
    button.type = "button";
    button.onclick = () => answer(option);
    return button;
  }));
  answers.setAttribute("role", "group");
  answers.setAttribute("aria-label", asked.subject);
  const answer = async (option) => {
    if (answers.hidden) return;
    answers.hidden = true;
    status.textContent = "Sending the answer to Airflow.";
    status.focus();
    const answered = await fetch(question, {
      method: "PATCH", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ chosen_options: [option] }),
    }).catch(() => null);
    if (answered?.ok) {
      status.textContent = `Answered: ${option}. The run continues.`;
      place.querySelector("a").hidden = true;
    } else {
      answers.hidden = answered?.status in NOT_TAKEN;
      status.textContent = NOT_TAKEN[answered?.status] ?? "Airflow did not accept the answer. Try again, or use its form.";
    }
  };
  place.prepend(make("strong", "", asked.subject), answers, status);
};
