{
  const form = document.getElementById("filter");
  const status = form.querySelector("[role=status]");
  const plain = text => text.toLowerCase().replaceAll("_", "");
  const words = text => plain(text).split(/\s+/).filter(word => word);
  const said = row => plain(
    [row.textContent, row.dataset.labels, ...[...row.querySelectorAll("a")].map(link => link.hash)].join(" "));
  const lists = [...document.querySelectorAll("[data-list]")].map(list => {
    const rows = [...list.querySelectorAll("[data-is]")].map(row => ({
      row, text: said(row), papers: (row.dataset.paper ?? list.dataset.paper).split(" "),
      claims: row.dataset.is.split(" ").map(claim => claim.split(":")),
    }));
    return { list, rows };
  });

  const matches = (one, wanted) =>
    (!wanted.paper || one.papers.includes(wanted.paper)) &&
    (!(wanted.role || wanted.verdict) || one.claims.some(([role, verdict]) =>
      (!wanted.role || role === wanted.role) && (!wanted.verdict || verdict === wanted.verdict))) &&
    words(wanted.search).every(word => one.text.includes(word));

  const show = () => {
    const wanted = Object.fromEntries(new FormData(form));
    const counts = {};
    for (const { list, rows } of lists) {
      const count = counts[list.dataset.list] ??= { shown: 0, all: 0 };
      for (const one of rows) one.row.hidden = !matches(one, wanted);
      const shown = rows.filter(one => !one.row.hidden).length;
      list.hidden = !shown;
      count.shown += shown;
      count.all += rows.length;
    }
    const told = Object.entries(counts).map(([name, { shown, all }]) => `${shown} of ${all} ${name}`);
    status.textContent = `Shown: ${told.join(", ")}.`;
    const set = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value)).toString();
    form.classList.toggle("set", set !== "");
    for (const link of document.querySelectorAll("a[data-keep]")) link.hash = set;
    return set;
  };

  const read = () => {
    const hash = location.hash.slice(1);
    if (hash === "" || hash.includes("=")) {
      const found = new URLSearchParams(hash);
      for (const field of form.querySelectorAll("[name]")) {
        field.value = found.get(field.name) ?? "";
        if (field.selectedIndex < 0) field.value = "";
      }
    }
    show();
  };

  const write = () => {
    const here = new URL(location.href);
    here.hash = show();
    history.replaceState(null, "", here);
  };
  form.addEventListener("input", show);
  form.addEventListener("change", write);
  form.addEventListener("reset", () => setTimeout(write));
  form.addEventListener("submit", event => event.preventDefault());
  addEventListener("hashchange", read);
  form.hidden = false;
  read();
}
