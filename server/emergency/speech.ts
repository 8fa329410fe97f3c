import { execFile } from 'node:child_process';
import { access, constants, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import type { Locale } from '#models/constants.ts';
import { HttpError } from '../http-error.ts';

const run = promisify(execFile);
const programs = ['espeak-ng', 'espeak'];
const timeout = 20_000;

/** The first speech program on the path; null where there is none. Looked for anew each time: it may be installed meanwhile. */
async function speechProgram(): Promise<string | null> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  for (const program of programs)
    for (const folder of folders) {
      const path = join(folder, program);
      if (
        await access(path, constants.X_OK).then(
          () => true,
          () => false,
        )
      )
        return path;
    }
  return null;
}
export const canSpeak = async (): Promise<boolean> => (await speechProgram()) !== null;

/**
 * A text, spoken, as WAV. The program reads it from a file and is started without a shell: a text that looks like an option is spoken too.
 * @throws HttpError `unavailable` where there is no such program, or it fails
 */
export async function speak(text: string, locale: Locale): Promise<Buffer> {
  const program = await speechProgram();
  if (!program) throw new HttpError('unavailable');
  const folder = await mkdtemp(join(tmpdir(), 'speech-'));
  const [words, sound] = [join(folder, 'words.txt'), join(folder, 'sound.wav')];
  try {
    await writeFile(words, text);
    await run(program, ['-v', locale, '-s', '145', '-b', '1', '-f', words, '-w', sound], { timeout });
    return await readFile(sound);
  } catch {
    throw new HttpError('unavailable');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
