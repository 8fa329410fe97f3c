import { describe } from 'vitest';
import { soundsMachine } from '#machines/sounds.machine.ts';
import { mapTests } from '#tests/support/machine-map.ts';
import { anna } from '#tests/support/people.ts';

describe('the sounds', () => {
  mapTests(soundsMachine, {
    inputs: [{ person: anna.id, isHushed: false }],
    samples: {
      'sound.play': [
        { type: 'sound.play', sound: 'alarm' },
        { type: 'sound.play', sound: 'message' },
      ],
      'sound.hush': [
        { type: 'sound.hush', on: true },
        { type: 'sound.hush', on: false },
      ],
      'sound.arm': { type: 'sound.arm' },
      'sound.dismiss': { type: 'sound.dismiss' },
      'speaker.ready': { type: 'speaker.ready' },
      'speaker.refused': { type: 'speaker.refused' },
    },
    answers: { speaker: [] },
    words: ({ context }) => ((context as { isHushed: boolean }).isHushed ? '[hushed]' : ''),
  });
});
