import { describe, expect, it } from 'vitest';
import { callOf, mirrorOf } from '#tests/support/phone-mirrors.ts';
import { height, lookAt, manners } from './support/looks.ts';
import { sitDown } from './support/person.ts';
import { ownPhone, scenes } from './support/phone-scenes.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

/** Signs a concierge in whose phone is owned by another tab: it shows whatever that tab tells it. */
async function atPhone({ locale, dark, width, axe }: (typeof manners)[number]) {
  const seat = await sitDown(stage, { locale, dark, width, height: height(width) });
  const { page, context, enter } = seat;
  const found: string[] = [];
  const show = await ownPhone(context, '1001');
  await show(mirrorOf());
  await page.goto('/login');
  await page.locator('#login').waitFor();
  await page.getByRole('button', { name: locale === 'ru-RU' ? 'Русский' : 'English' }).click();
  await enter('concierge');
  await page.locator('.phone-button').click();
  await page.locator('.phone-panel').waitFor();
  return { ...seat, show, found, look: lookAt(page, found, { axe, within: '.phone-panel, .phone-button, .desk-calls, .alert-stack' }) };
}

describe.each(manners)('the phone in $locale, dark $dark, $width px wide', (manner) => {
  it('is accessible in every part, fits and speaks in words', async () => {
    const { page, look, found, close } = await atPhone(manner);
    const tabs = page.getByRole('tab');
    for (let at = 0; at < (await tabs.count()); at++) {
      await tabs.nth(at).click();
      await page.waitForFunction(() => !document.querySelector('.phone-part .skeleton-lines, .phone-part [aria-busy=true]'));
      await look(`part ${at}`);
    }
    // Without a group it warns, in words.
    await page.locator('.interception > .p-button').click();
    await page.locator('.alert-stack .alert').waitFor();
    await look('interception of nothing');
    await page.locator('.phone-head button').first().click();
    await look('settings');
    expect(await tabs.count()).toBe(5);
    expect(found).toEqual([]);
    await close();
  });
});

// The longer of the two languages, in both widths.
describe.each(manners.filter(({ locale }) => locale === 'ru-RU').map((manner) => ({ ...manner, axe: true })))(
  'the phone in $locale, dark $dark, $width px wide',
  (manner) => {
    it('is accessible whatever it has to show, fits and speaks in words', async () => {
      const { page, show, look, found, close } = await atPhone(manner);
      for (const [scene, mirrorAt] of Object.entries(scenes)) {
        const mirror = mirrorAt(Date.now());
        await show(mirror);
        await page.waitForFunction((count) => document.querySelectorAll('.call').length === count, mirror.calls.length);
        await page.locator(`.phone-head[data-registration="${mirror.registration}"]`).waitFor();
        await look(scene);
      }
      await show(mirrorOf({ ringing: 'sos', calls: [callOf({ sos: 'yes', video: true, startedAt: Date.now() })] }));
      await page.locator('.phone-head button').last().click();
      await page.locator('[data-open="false"] > .desk-calls .call').waitFor();
      await look('rings above a page');
      expect(found).toEqual([]);
      await close();
    });
  },
);
