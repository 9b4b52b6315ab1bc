import type { EditorServer } from './server.ts';

export interface EditorPage {
  /** The workspace folder. */
  readonly folder: string;
  /** Makes the extension host run tests. Needs a server with `runsTests`. */
  readonly tests?: ExtensionTests;
}

export interface ExtensionTests {
  /** The folder of the extension under development. */
  readonly extensionDevelopmentPath: string;
  /** The module whose `run()` the extension host calls. */
  readonly extensionTestsPath: string;
}

/** The address at which the server shows this page. All paths are absolute. */
export function editorAddress(server: EditorServer, page: EditorPage): string {
  const address = new URL(server.origin);
  address.searchParams.set('tkn', server.connectionToken);
  address.searchParams.set('folder', page.folder);
  if (page.tests !== undefined)
    address.searchParams.set('payload', JSON.stringify(payloadOf(page.tests, address.host)));
  return address.href;
}

/** The workbench takes these paths as a list of pairs. */
function payloadOf(tests: ExtensionTests, host: string): [string, string][] {
  const remoteUri = (path: string) => `vscode-remote://${host}${path.split('/').map(encodeURIComponent).join('/')}`;
  return [
    ['extensionDevelopmentPath', remoteUri(tests.extensionDevelopmentPath)],
    ['extensionTestsPath', remoteUri(tests.extensionTestsPath)],
  ];
}
