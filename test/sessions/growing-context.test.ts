import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { fixtures, lineSamplesIn } from './samples';

/** Number of lines between two checks of a session's state. */
const step = 7;

describe('a session that grows', () => {
  it.each(lineSamplesIn(fixtures))(
    'keeps the entries of its context as the same objects if they did not change, as in $name',
    ({ file, format }) => {
      const builder = format.createBuilder(file);
      const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
      let written = '';
      let before = builder.session().conversation;
      for (const [index, text] of lines.entries()) {
        builder.accept({ number: index + 1, text });
        written += text;
        if (index % step > 0) continue;
        const { conversation } = builder.session();
        for (const list of ['entries', 'agentContext'] as const) {
          const known = new Map(before[list].map((entry) => [entry.id, entry]));
          const copied = conversation[list].filter((entry) => {
            const old = known.get(entry.id);
            // An agent may write a message again.
            const isUntouched = old !== undefined && !written.includes(entry.id);
            return isUntouched && old !== entry && isDeepStrictEqual(old, entry);
          });
          expect(copied, `after line ${index + 1}`).toEqual([]);
        }
        before = conversation;
        written = '';
      }
    },
  );
});
