import { setTimeout as pause } from 'node:timers/promises';
import { type ScenarioName, scenarioNames } from '#models/simulator.ts';
import { addressOf, enter, Sentence, type Stage } from './server.ts';
import { sayLine, sayScenario } from './texts.ts';

const lookEvery = 250;
const print = (text: string): void => void process.stdout.write(`${text}\n`);

function list(): void {
  print('npm run simulate -- <scenario>\n');
  const width = Math.max(...scenarioNames.map((name) => name.length)) + 2;
  for (const name of scenarioNames) print(`  ${name.padEnd(width)}${sayScenario(name)}`);
}

/** Plays a scenario and prints each step as it happens. Answers whether it came to its end. */
async function play(stage: Stage, name: ScenarioName): Promise<boolean> {
  print(sayScenario(name));
  let { run } = await stage.play(name);
  const own = run?.id;
  let reported = 0;
  for (;;) {
    if (!run || run.id !== own) throw new Sentence('Someone started another scenario; this one was stopped.');
    for (const line of run.lines.slice(reported)) print(`  ${sayLine(line)}`);
    reported = run.lines.length;
    if (run.state !== 'running') break;
    await pause(lookEvery);
    ({ run } = await stage.look());
  }
  if (run.state !== 'done') process.stderr.write(run.state === 'stopped' ? 'Stopped.\n' : 'It could not be completed; see the server’s log.\n');
  return run.state === 'done';
}

async function main(wanted: string | undefined): Promise<boolean> {
  if (wanted === undefined) {
    list();
    return true;
  }
  const name = scenarioNames.find((one) => one === wanted);
  if (!name) throw new Sentence(`There is no scenario "${wanted}". Choose one of: ${scenarioNames.join(', ')}.`);
  const stage = await enter(addressOf(process.env));
  // What was staged is put right before the command ends.
  process.once('SIGINT', () => void stage.stop().catch(() => undefined));
  try {
    return await play(stage, name);
  } finally {
    await stage.leave().catch(() => undefined);
  }
}

try {
  process.exitCode = (await main(process.argv[2])) ? 0 : 1;
} catch (error) {
  if (!(error instanceof Sentence)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
