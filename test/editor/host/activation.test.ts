import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { test } from './test.ts';

test('Strata is there and activates', async () => {
  const strata = findStrata();
  await strata.activate();
  assert.equal(strata.isActive, true);
});

test('every command that package.json contributes is registered', async () => {
  const strata = findStrata();
  await strata.activate();
  const registered = new Set(await vscode.commands.getCommands());
  assert.deepEqual(
    contributedCommands(strata).filter((command) => !registered.has(command)),
    [],
  );
});

function findStrata(): vscode.Extension<unknown> {
  const strata = vscode.extensions.getExtension('strata.strata');
  assert.ok(strata, 'The editor did not load the extension strata.strata.');
  return strata;
}

/** The part of package.json that VS Code checks before it loads an extension. */
interface Manifest {
  readonly contributes?: { readonly commands?: readonly { readonly command: string }[] };
}

function contributedCommands(extension: vscode.Extension<unknown>): string[] {
  const manifest: Manifest = extension.packageJSON;
  return (manifest.contributes?.commands ?? []).map(({ command }) => command);
}
