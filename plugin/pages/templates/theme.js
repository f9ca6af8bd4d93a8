// Airflow's own switch for the dark theme is a class, which may differ from the system's preference.
if (parent !== window) {
  try {
    const airflow = parent.document.documentElement;
    const follow = () => {
      document.documentElement.dataset.theme = airflow.classList.contains("dark") ? "dark" : "light";
      document.documentElement.style.background = parent.getComputedStyle(parent.document.body).backgroundColor;
    };
    follow();
    // On a phone Airflow's own columns are wider than the screen.
    const measure = () => {
      const whole = document.getElementById("whole");
      whole.hidden = frameElement.getBoundingClientRect().right <= parent.innerWidth + 1;
      whole.querySelector("a").href = location.href;
    };
    measure();
    addEventListener("resize", measure);
    new MutationObserver(follow).observe(airflow, { attributes: true, attributeFilter: ["class"] });
  } catch { /* Another site's page: the system's preference holds. */ }
}
