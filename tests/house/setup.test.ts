import { describe, expect, it } from 'vitest';
import { installSentence, placesOf } from '#scripts/chromium.mjs';

describe('the browser of the tests', () => {
  it('is the one that is named, before any that is found', () => {
    for (const platform of ['linux', 'darwin', 'win32']) expect(placesOf(platform, { CHROMIUM: '/opt/mine' }, '/anna')[0]).toBe('/opt/mine');
  });

  it('is found where Chromium, Chrome and Edge lie on each system', () => {
    expect(placesOf('linux', {}, '/anna')).toEqual(expect.arrayContaining(['/usr/bin/chromium', '/usr/bin/google-chrome', '/snap/bin/chromium']));
    expect(placesOf('darwin', {}, '/anna')).toEqual(
      expect.arrayContaining([
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
        '/anna/Applications/Chromium.app/Contents/MacOS/Chromium',
      ]),
    );
    const env = {
      ProgramFiles: 'D:\\Program Files',
      'ProgramFiles(x86)': 'D:\\Program Files (x86)',
      LOCALAPPDATA: 'D:\\Local',
    };
    expect(placesOf('win32', env, 'D:\\anna')).toEqual(
      expect.arrayContaining([
        'D:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
        'D:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
        'D:\\Local\\Google\\Chrome\\Application\\chrome.exe',
      ]),
    );
  });

  it('that may not be installed for somebody is told of in one sentence that says what to type', () => {
    expect(installSentence('linux', true)).toContain('"sudo apt-get install chromium"');
    expect(installSentence('darwin', false)).toContain('"brew install --cask chromium"');
    expect(installSentence('win32', false)).toContain('"winget install Google.Chrome"');
    expect(installSentence('linux', false)).toMatch(/install it, or name its path in the environment variable CHROMIUM\.$/);
  });
});
