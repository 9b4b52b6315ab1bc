import { type Caller, createCaller, type NotificationHandlers } from '../extension/protocol/rpc';

/** The editor's webview API; it can be acquired only once. */
interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** The extension host as the panel sees it. */
export interface Host {
  readonly request: Caller['request'];
  /** State saved before this webview was hidden or reloaded; undefined at first. */
  savedState(): unknown;
  saveState(state: unknown): void;
}

/** Connects the client, which handles the host's notifications, with the host, which answers its requests. */
export function connectHost<Client extends { readonly notifications: NotificationHandlers }>(
  create: (host: Host) => Client,
): Client {
  const editor = acquireVsCodeApi();
  const client = create({
    request: (method, params) => caller.request(method, params),
    savedState: () => editor.getState(),
    saveState: (state) => editor.setState(state),
  });
  const caller = createCaller((message) => editor.postMessage(message), client.notifications);
  window.addEventListener('message', (event) => caller.receive(event.data));
  return client;
}
