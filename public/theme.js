// Sets the chosen theme before the first paint; without a choice the system decides (see src/styles/tokens.css).
(function () {
  try {
    var choice = JSON.parse(localStorage.getItem('doorward.theme') || 'null');
    if (choice === 'light' || choice === 'dark') document.documentElement.dataset.theme = choice;
  } catch {
    // Storage may be barred; the system's theme is a good answer then.
  }
})();
