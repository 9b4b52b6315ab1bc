import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { piIn } from '../../../extension/agents/pi/fork/fork';

describe('a pi that runs in a folder', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'strata-pi-running-')));
  const folder = join(base, 'work');
  mkdirSync(folder);
  afterAll(() => rmSync(base, { recursive: true }));

  /** A list of processes as in `/proc`, each with its name and a link to its folder. */
  function processes(name: string, ...list: readonly { readonly comm?: string; readonly cwd?: string }[]): string {
    const place = join(base, name);
    mkdirSync(join(place, 'self'), { recursive: true });
    for (const [index, { comm, cwd }] of list.entries()) {
      const process = join(place, String(index + 1));
      mkdirSync(process);
      if (comm !== undefined) writeFileSync(join(process, 'comm'), `${comm}\n`);
      if (cwd !== undefined) symlinkSync(cwd, join(process, 'cwd'));
    }
    return place;
  }

  it('a pi that runs in a folder is seen by its name and folder, even if the folder is reached by a link', async () => {
    const place = processes('running', { comm: 'bash', cwd: folder }, { comm: 'pi', cwd: folder });
    symlinkSync(folder, join(base, 'link'));
    expect(await piIn(folder, place)).toBe('running');
    expect(await piIn(join(base, 'link'), place)).toBe('running');
    expect(await piIn(base, place)).toBe('none');
  });

  it('a pi that runs in a folder is not another program there, nor a process that is gone or that is not ours', async () => {
    const place = processes('others', { comm: 'pip', cwd: folder }, {}, { comm: 'pi' }, { cwd: folder });
    expect(await piIn(folder, place)).toBe('none');
  });

  it('a pi that runs in a folder is not known if the system lists no processes', async () => {
    expect(await piIn(folder, join(base, 'nowhere'))).toBe('unknown');
    expect(await piIn(folder, processes('empty'))).toBe('unknown');
  });
});
