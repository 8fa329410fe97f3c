// What must stand before anything else runs. The chosen theme, before the first paint; without a choice the system decides (see src/styles/tokens.css).
(function () {
  try {
    var choice = JSON.parse(localStorage.getItem('doorward.theme') || 'null');
    if (choice === 'light' || choice === 'dark') document.documentElement.dataset.theme = choice;
  } catch {
    // Storage may be barred; the system's theme is a good answer then.
  }
})();
// The content policy refuses code made from text: zod need not try, which the browser would report with every page.
globalThis.__zod_globalConfig = { jitless: true };
