import { expect, it } from 'vitest';
import { processEnvironment, usualEditorFolders } from '../../../extension/platform/files/environment';

it.each([
  ['linux', {}, '/home/anna/.config/Code/User'],
  ['linux', { XDG_CONFIG_HOME: '/conf' }, '/conf/VSCodium/User'],
  ['darwin', {}, '/home/anna/Library/Application Support/Code - Insiders/User'],
  ['win32', { APPDATA: '/roaming' }, '/roaming/Code/User'],
  ['linux', {}, '/home/anna/.vscode-server/data/User'],
  ['linux', {}, '/home/anna/.local/share/code-server/User'],
] as const)('looks for chats of editors on %s (%j) in %s', (system, variables, folder) => {
  expect(usualEditorFolders(system, '/home/anna', variables)).toContain(folder);
});

it('lists the running editor first and only once', () => {
  const [usual = ''] = processEnvironment().editorFolders ?? [];
  expect(processEnvironment('/mine').editorFolders?.[0]).toBe('/mine');
  expect(processEnvironment(usual).editorFolders).toEqual(processEnvironment().editorFolders);
});
