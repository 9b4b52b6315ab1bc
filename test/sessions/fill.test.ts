import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { headAndTail } from '../../extension/platform/files/head-and-tail';
import { openSession } from '../../extension/sessions/open';
import { fillOf } from '../../extension/sessions/records/outline';
import { everySample } from './samples';

/** What a list says of a session is what the opened session says. */

describe('the outline of every sample', () => {
  for (const { name, file, format } of everySample()) {
    it(`has the title, the branch and the fill level of the opened session: ${name}`, async () => {
      expect(existsSync(file)).toBe(true);
      const ends = await headAndTail(file);
      const opened = await openSession(file);
      if (ends.kind !== 'ends' || opened.kind !== 'opened') throw new Error(`${name} could not be read.`);
      const { title, branch, fill } = format.summarise(ends.head, ends.tail);
      const { session } = opened;
      expect({ title, branch, fill: fill ?? null }).toEqual({
        ...{ title: session.title, branch: session.branch },
        fill: fillOf(session),
      });
    });
  }
});
