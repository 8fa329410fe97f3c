import * as axeCore from 'axe-core';
import type { Page } from 'playwright-core';

declare global {
  var axe: typeof axeCore | undefined;
}

/** Something a person with a disability cannot get past: the rule, the element, and how it is found again. */
interface Barrier {
  rule: string;
  html: string;
  target: string;
}

/** Where to look, and by which rules: all that axe has, where nothing is said. */
interface Look {
  within?: string;
  tags?: readonly string[];
  rules?: readonly string[];
}

/**
 * What axe finds on the page. Our pages have no frames, so that axe runs in the page itself and comes there once: by @axe-core/playwright each look
 * takes three to four times as long.
 */
async function look(page: Page, { within = 'html', tags, rules }: Look): Promise<Barrier[]> {
  if (!(await page.evaluate(() => globalThis.axe !== undefined))) await page.evaluate(axeCore.source);
  const runOnly: axeCore.RunOnly | undefined = rules ? { type: 'rule', values: [...rules] } : tags && { type: 'tag', values: [...tags] };
  return page.evaluate(
    async ({ where, options }) => {
      const { violations = [] } = (await globalThis.axe?.run(where, options)) ?? {};
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html, target }) => ({ rule: id, html, target: String(target[0]) })));
    },
    { where: { include: [within] }, options: { resultTypes: ['violations'], ...(runOnly && { runOnly }) } satisfies axeCore.RunOptions },
  );
}

/** A button half below an edge is no fault where it can be scrolled into view. */
async function isCutOff(page: Page, { rule, target }: Barrier): Promise<boolean> {
  if (rule !== 'target-size') return false;
  // To the middle: at an edge a sticky foot may still lie over it.
  await page.evaluate((selector) => document.querySelector(selector)?.scrollIntoView({ block: 'center' }), target);
  try {
    return (await look(page, { within: target, rules: [rule] })).length === 0;
  } catch (error) {
    // What has gone meanwhile, as a notice that was read, is no barrier any more.
    if (String(error).includes('No elements found for include')) return true;
    throw error;
  }
}

/** The barriers of a page as lines to be read: none is what a test asks for. */
export async function barriers(page: Page, where: Omit<Look, 'rules'> = {}): Promise<string[]> {
  const lines: string[] = [];
  for (const found of await look(page, where)) if (!(await isCutOff(page, found))) lines.push(`${found.rule}: ${found.html.slice(0, 160)}`);
  return lines;
}
