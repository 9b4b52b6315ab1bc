import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Beginnings } from '../../../extension/sessions/strata/beginnings';
import { temporaryFolders } from '../../sessions/temporary';

const newFolder = temporaryFolders();

function header(id: string, begins?: string): string {
  const record = { type: 'strata-conversation', version: 1, id, time: '2026-01-01', cwd: null, begins };
  return `${JSON.stringify(record)}\n{"type":"leaf","id":null}\n`;
}

describe('the conversations in a folder', () => {
  it('the conversations in a folder are found by what they begin with, also those that another window has just made, and no deleted ones', async () => {
    const folder = newFolder();
    const warnings: string[] = [];
    const beginnings = new Beginnings(folder, (message) => warnings.push(message));
    writeFileSync(join(folder, '1.jsonl'), header('1', 'aa'));
    writeFileSync(join(folder, '2.jsonl'), header('2', 'bb'));
    writeFileSync(join(folder, 'chat.jsonl'), header('chat'));
    writeFileSync(join(folder, 'broken.jsonl'), '{"type":"strata-conv');
    writeFileSync(join(folder, 'empty.jsonl'), '');
    expect(await beginnings.of('aa')).toEqual([{ id: '1', begins: 'aa', created: '2026-01-01' }]);
    writeFileSync(join(folder, '3.jsonl'), header('3', 'aa'));
    expect((await beginnings.of('aa')).map(({ id }) => id).sort()).toEqual(['1', '3']);
    rmSync(join(folder, '1.jsonl'));
    expect((await beginnings.of('aa')).map(({ id }) => id)).toEqual(['3']);
    expect(warnings).toEqual([]);
  });

  it('the conversations in a folder are read once for simultaneous callers, each of which gets the ones created before', async () => {
    const folder = newFolder();
    const warnings: string[] = [];
    const beginnings = new Beginnings(folder, (message) => warnings.push(message));
    mkdirSync(join(folder, 'unreadable.jsonl'));
    const before = Array.from({ length: 50 }, () => beginnings.of('aa'));
    await Promise.resolve();
    writeFileSync(join(folder, '1.jsonl'), header('1', 'aa'));
    const after = Array.from({ length: 50 }, () => beginnings.of('aa'));
    await Promise.all(before);
    for (const found of await Promise.all(after)) expect(found.map(({ id }) => id)).toEqual(['1']);
    expect(warnings.length).toBeLessThanOrEqual(2);
  });

  it('the list of conversations is empty if the folder does not exist yet', async () => {
    const folder = newFolder();
    rmSync(folder, { recursive: true });
    const warnings: string[] = [];
    expect(await new Beginnings(folder, (message) => warnings.push(message)).of('aa')).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('the conversations in a folder are listed even if one of them cannot be read', async () => {
    const folder = newFolder();
    const warnings: string[] = [];
    mkdirSync(join(folder, 'folder.jsonl'));
    writeFileSync(join(folder, '1.jsonl'), header('1', 'aa'));
    const found = await new Beginnings(folder, (message) => warnings.push(message)).of('aa');
    expect(found.map(({ id }) => id)).toEqual(['1']);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(join(folder, 'folder.jsonl'));
  });
});
