import { spawn } from 'node:child_process';
import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compactInPlace } from '../../../extension/inspection/fork/compact-in-place';
import { forkSession } from '../../../extension/inspection/fork/fork-session';
import { temporaryFolders } from '../../sessions/temporary';
import { compact, copyOf, hash, inspect, words } from './inspect';

const temporary = temporaryFolders();

describe('a compaction that is written into the session of pi itself', () => {
  it('writes what was shown, once, and changes no existing record', async () => {
    const folder = temporary();
    const file = copyOf('pi-0.87/before-compaction.jsonl', folder);
    const before = readFileSync(file, 'utf8');
    const inspection = await inspect(file, folder);
    await compact(inspection);
    await inspection.coreEditor.pin('constraint', 'Never touch the database.', null);
    const shown = words(inspection.context);
    await compactInPlace(inspection);
    expect(readFileSync(file, 'utf8').startsWith(before)).toBe(true);
    const again = await inspect(file, folder);
    expect(words(again.context)).toBe(shown);
    expect(words(again.context).split('Nevertouchthedatabase.')).toHaveLength(2);
  });

  it('a compaction is not written into a session of pi while pi has it open, if nothing was compacted, or after a torn line', async () => {
    const folder = temporary();
    const file = copyOf('pi-0.87/before-compaction.jsonl', folder);
    const inspection = await inspect(file, folder);
    await expect(compactInPlace(inspection)).rejects.toThrow(/There is no compaction or pin here/);
    await compact(inspection);
    inspection.session = { ...inspection.session, live: true };
    await expect(compactInPlace(inspection)).rejects.toThrow(/has this session open/);
    inspection.session = { ...inspection.session, live: false };
    appendFileSync(file, '{"type":"message","id":"to');
    const before = hash(file);
    await expect(compactInPlace(inspection)).rejects.toThrow(/in the middle of a line/);
    expect(hash(file)).toBe(before);
  });

  it('a compaction that is written into the session of pi itself is refused for agents whose sessions are not written into', async () => {
    const folder = temporary();
    const inspection = await inspect(copyOf('claude-code-2.1.330/before-compaction.jsonl', folder), folder);
    await compact(inspection);
    await expect(compactInPlace(inspection)).rejects.toThrow(/Fork the session instead/);
  });
});

describe.runIf(process.platform === 'linux')('a pi that is open in the folder of the session', () => {
  it('a compaction that is written into the session of pi itself is refused while pi runs, because it would continue from its memory', async () => {
    const folder = temporary();
    const file = copyOf('pi-0.87/before-compaction.jsonl', folder);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('/home/ada/scratch', folder));
    const program = join(folder, 'pi');
    copyFileSync('/bin/sleep', program);
    const running = spawn(program, ['30'], { cwd: folder });
    try {
      await new Promise((done) => running.once('spawn', done));
      const inspection = await inspect(file, folder);
      await compact(inspection);
      await expect(compactInPlace(inspection)).rejects.toThrow(/pi is running in .* Close it, or fork/);
      expect((await forkSession(inspection)).id).not.toBe(inspection.session.id);
    } finally {
      running.kill();
    }
  });
});
