import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { test } from './test.ts';

test('a session file opens by command, shows in an editor tab, and is not written to', async () => {
  const file = fixture('claude-code-2.1.330/after-compaction.jsonl');
  const before = await hashOf(file);
  await vscode.commands.executeCommand('strata.openSessionFile', vscode.Uri.file(file));
  await vscode.commands.executeCommand('strata.openInEditor');
  await until(() => strataTabs().length === 1);
  await vscode.commands.executeCommand('strata.openInEditor');
  assert.equal(strataTabs().length, 1, 'There is one tab of the inspector, however often it is opened.');
  await vscode.commands.executeCommand('strata.compact');
  await vscode.commands.executeCommand('strata.undo');
  assert.equal(await hashOf(file), before);
});

test('a file that is not a session is refused without an exception, and the open session stays', async () => {
  await vscode.commands.executeCommand('strata.openSessionFile', vscode.Uri.file(fixture('missing.jsonl')));
  await vscode.commands.executeCommand('strata.openSessionFile', vscode.Uri.file(__filename));
  assert.equal(strataTabs().length, 1);
});

function fixture(name: string): string {
  const strata = vscode.extensions.getExtension('strata.strata');
  assert.ok(strata);
  return join(strata.extensionPath, 'test/fixtures', name);
}

function strataTabs(): vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.filter(
    ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('strata.inspectorEditor'),
  );
}

async function until(holds: () => boolean): Promise<void> {
  for (let wait = 0; wait < 100; wait += 1) {
    if (holds()) return;
    await delay(100);
  }
  assert.fail('It did not come about in ten seconds.');
}

async function hashOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}
