import type { Page } from 'playwright-core';

/** Watches a page for text that came alive. */
export interface Witness {
  /** Everything that must not have happened so far, with where. */
  faults: readonly string[];
  /** Looks at what the page shows now; the texts given must stand there as they were typed. */
  look: (where: string, ...texts: string[]) => Promise<void>;
}

declare global {
  var refusedByPolicy: string[] | undefined;
}

/** Runs in the page before anything else. */
function listen(): void {
  globalThis.refusedByPolicy = [];
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile }) =>
    globalThis.refusedByPolicy?.push(`${violatedDirective} ${sourceFile}`),
  );
}

/** Elements that no screen of the console has. */
const foreign =
  'iframe, object, embed, base, math, meta[http-equiv=refresh], a[href^="javascript:"], a[href^="data:"], img[src="x"], form[action="/login"]';

/** What the page holds: foreign elements, handlers in attributes, refusals of the content policy; and its words, typed ones too, on one line. */
const inspect = (page: Page) =>
  page.evaluate((selector) => {
    const all = [...document.querySelectorAll('*')];
    return {
      alien: [
        ...[...document.querySelectorAll(selector)].map(({ outerHTML }) => outerHTML.slice(0, 120)),
        ...all.filter((element) => element.getAttributeNames().some((name) => name.startsWith('on'))).map(({ outerHTML }) => outerHTML.slice(0, 120)),
        ...(globalThis.refusedByPolicy ?? []),
      ],
      words: [
        document.body.innerText,
        ...all.flatMap((element) => (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? [element.value] : [])),
      ]
        .join(' ')
        .replaceAll(/\s+/g, ' '),
    };
  }, foreign);

/** Begins to watch; before the page is opened. */
export async function watchForLife(page: Page): Promise<Witness> {
  const faults: string[] = [];
  await page.exposeFunction('canary', (mark: unknown) => faults.push(`payload ${String(mark)} ran`));
  await page.addInitScript(listen);
  page.on('dialog', (dialog) => {
    faults.push(`a dialog said ${dialog.message()}`);
    void dialog.dismiss();
  });
  return {
    faults,
    look: async (where, ...texts) => {
      const { alien, words } = await inspect(page);
      faults.push(...alien.map((what) => `${where}: ${what}`));
      faults.push(...texts.filter((text) => !words.includes(text.replaceAll(/\s+/g, ' '))).map((text) => `${where} does not show ${text}`));
    },
  };
}
