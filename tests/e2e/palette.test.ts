import { expect, it } from 'vitest';
import { barriers } from './support/barriers.ts';
import { simulated } from './support/alarms.ts';
import { atWork, type Person } from './support/person.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();
const palette = ({ page }: Person) => page.locator('dialog.palette[open]');
const line = (person: Person, name: string | RegExp) => palette(person).getByRole('option', { name });
const marked = (person: Person) => palette(person).locator('[role="option"][aria-selected="true"]');

async function ask(person: Person, text: string): Promise<void> {
  await person.page.keyboard.press('Control+KeyK');
  await palette(person).getByRole('combobox').waitFor();
  await person.page.keyboard.type(text);
}

it('goes to a screen, a person and an apartment by keys alone, and offers first what was used lately', async () => {
  const admin = await atWork(stage);
  const { page } = admin;
  await ask(admin, 'roles');
  await marked(admin).getByText('Roles', { exact: true }).waitFor();
  expect(await barriers(admin.page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/roles');
  await palette(admin).waitFor({ state: 'detached' });

  await ask(admin, 'boris');
  await marked(admin).getByText('Boris').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/users\/[\w-]{36}/);

  await ask(admin, 'tower b 22');
  await marked(admin).getByText('Riverside · Tower B · Floor 4').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/groups\/[\w-]{36}/);

  await page.keyboard.press('Control+KeyK');
  const first = palette(admin).getByRole('option');
  await first.first().getByText('22', { exact: true }).waitFor();
  await first.nth(1).getByText('Boris').waitFor();
  await first.nth(2).getByText('Roles', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await palette(admin).waitFor({ state: 'detached' });
  await admin.close();
});

it('opens a door only after a question, and says what the device answered', async () => {
  await simulated(stage, 'Main gate');
  const admin = await atWork(stage);
  const { page } = admin;
  await ask(admin, 'open main gate');
  await marked(admin).getByText('Open Main gate').waitFor();
  await page.keyboard.press('Enter');
  await palette(admin).getByText('Open Main gate?').waitFor();
  await page.keyboard.press('Escape');
  await line(admin, /Open Main gate/).waitFor();
  await page.keyboard.press('Enter');
  await palette(admin).getByText('Open Main gate?').waitFor();
  expect(await barriers(admin.page)).toEqual([]);
  await page.keyboard.press('Enter');
  await palette(admin).getByText('Opened, confirmed by the device').waitFor();
  await page.keyboard.press('Enter');
  await palette(admin).getByRole('combobox').waitFor();
  await admin.close();
});

it('does what was chosen: adds, changes the look, lists the keys; a layout slip is understood', async () => {
  const admin = await atWork(stage);
  const { page } = admin;
  await ask(admin, 'add user');
  await marked(admin).getByText('Add user').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/users/add**');
  // "dark" on a Russian keyboard
  await ask(admin, 'вфкл');
  await line(admin, /Appearance: Dark/).waitFor();
  await page.keyboard.press('Enter');
  await page.locator(':root[data-theme="dark"]').waitFor();
  await page.goto('/home');
  await page.locator('.person-button').waitFor();
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await keys.getByText('Ctrl + K').waitFor();
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
  await admin.close();
});

it('offers a resident no screen, row or act that is not theirs, and of doors those that their card opens', async () => {
  const resident = await atWork(stage, 'resident');
  const { page } = resident;
  await ask(resident, 'add user');
  await palette(resident).getByText('No results').waitFor();
  for (const text of ['devices', 'audit', 'leila']) {
    await page.keyboard.press('Control+KeyA');
    await page.keyboard.type(text);
    await palette(resident).getByText('No results').waitFor();
  }
  await page.keyboard.press('Control+KeyA');
  await page.keyboard.type('open main gate');
  await marked(resident).getByText('Open Main gate').waitFor();
  await page.keyboard.press('Control+KeyK');
  await palette(resident).waitFor({ state: 'detached' });
  await resident.close();
});

it('speaks Russian, takes е for ё, and fits a phone', async () => {
  const admin = await atWork(stage, 'admin', { width: 390, height: 844 });
  const { page } = admin;
  await ask(admin, 'language русский');
  await line(admin, /Русский/).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('html[lang="ru"]').waitFor();
  await page.getByRole('button', { name: /^Поиск и команды/ }).click();
  await page.keyboard.type('виртуальныё');
  await marked(admin).getByText('Виртуальные номера', { exact: true }).waitFor();
  await page.keyboard.press('Control+KeyA');
  await page.keyboard.type('расписания');
  await marked(admin).getByText('Расписания', { exact: true }).waitFor();
  const box = await palette(admin).boundingBox();
  expect([(box?.x ?? -1) >= 0, (box?.x ?? 0) + (box?.width ?? 0) <= 390]).toEqual([true, true]);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/schedules');
  await ask(admin, 'english');
  await line(admin, /English/).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('html[lang="en"]').waitFor();
  await admin.close();
});
