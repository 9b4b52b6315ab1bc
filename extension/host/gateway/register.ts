import * as vscode from 'vscode';
import { usualReplyTokens } from '../../conversations/compaction/fit';
import type { ServedRequest } from '../../gateway/app';
import type { IncomingRequest } from '../../middleware/requests/recording';
import type { Notice } from '../../middleware/wire/relay-parts';
import { gatewayCommandId } from '../command-ids';
import { type RequestServices, requestRecorder } from '../conversations/request-notices';
import { offer } from '../dialogs';
import { tellingFailures } from '../failures/telling-failures';
import type { Inspector } from '../inspector';
import type { Placements } from '../panel/placements';
import { registerGatewayCommands } from './commands';
import { GatewayControl, type OpenGateway } from './gateway-control';
import { NewestConversation } from './newest-conversation';
import { formerNamesInUse, gatewayWindowOf, needsRestart, readGatewaySettings } from './settings';
import { GatewayStatusItem } from './status-item';
import { GatewayToken, tokenSecret } from './token';

export interface GatewayServices extends RequestServices {
  readonly inspector: Inspector;
  readonly placements: Placements;
  readonly secrets: vscode.SecretStorage;
  readonly globalState: vscode.Memento;
}

/** A server on loopback between agents and their providers. It runs only once a person has started it. */
export function registerGateway(services: GatewayServices): vscode.Disposable {
  const { placements, secrets, globalState, log } = services;
  const item = new GatewayStatusItem();
  const newest = newestConversation(services);
  const changed = () => {
    const { running, requests } = control;
    item.show(running && { ...running, requests });
    if (running === null) newest.stopAwaiting();
  };
  const token = new GatewayToken(secrets);
  const control = new GatewayControl({ token, open: opening(services, newest, () => control.countRequest()), changed });
  return vscode.Disposable.from(
    control,
    item,
    registerGatewayCommands({
      control,
      state: globalState,
      newest,
      showPanel: () => placements.show(),
      log,
    }),
    secrets.onDidChange(({ key }) => {
      if (key === tokenSecret) void tellingFailures(log, tokenSecret, () => control.reloadToken());
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (needsRestart(change)) void tellingFailures(log, gatewayCommandId, () => offerRestart(control));
    }),
  );
}

function newestConversation({ conversations, inspector, placements, log }: GatewayServices): NewestConversation {
  return new NewestConversation((id, preserveFocus) =>
    tellingFailures(log, gatewayCommandId, async () => {
      const { file } = (await conversations.open(id)).workbench.session;
      if (inspector.inspection?.session.file !== file) await inspector.open(file);
      await placements.show(preserveFocus);
    }),
  );
}

function opening(
  services: GatewayServices,
  newest: NewestConversation,
  passed: () => void,
): (port: number, token: string) => Promise<OpenGateway> {
  const { log } = services;
  const requests = requestRecorder(services, 'gateway');
  const keep = async (request: IncomingRequest) => {
    const recorded = await requests.record({ ...request, replyTokens: usualReplyTokens(request.contextWindow) });
    newest.note(requests.recentConversation());
    return recorded;
  };
  return async (port, token) => {
    const { upstreams } = readGatewaySettings();
    for (const name of formerNamesInUse()) log.warn(`Gateway: ${name} is a member of strata.gateway.baseUrls now.`);
    // The server is loaded at its first start, because most people never need it.
    const { startGateway } = await import('../../gateway/gateway');
    const gateway = await startGateway({
      ...{ port, token, upstreams, keep, windowOf: gatewayWindowOf },
      notify: (notice) => tellOf(notice, log),
      log: (request) => {
        log.info(requestLine(request));
        passed();
      },
    });
    log.info(`Gateway: runs at ${gateway.url}.`);
    return { ...gateway, upstreams };
  };
}

function tellOf({ kind, message }: Notice, log: vscode.LogOutputChannel): void {
  if (kind === 'failed') log.warn(`Gateway: ${message}`);
  else log.info(`Gateway: ${message}`);
  if (kind !== 'provider-side') return;
  const notice = vscode.l10n.t(
    'An agent behind the gateway lets its provider manage the context, so Strata does not compact it automatically.',
  );
  void vscode.window.showInformationMessage(notice);
}

async function offerRestart(control: GatewayControl): Promise<void> {
  if (control.running === null) return;
  const message = vscode.l10n.t('Changed settings of the gateway take effect when it is started again.');
  const restart = async () => {
    if (control.running === null) return;
    await control.stop();
    await vscode.commands.executeCommand(gatewayCommandId, 'start');
  };
  await offer(message, { [vscode.l10n.t('Restart Gateway')]: restart });
}

/** A request in the log, without any text of the conversation, key or token. */
function requestLine({ method, path, status, sent }: ServedRequest): string {
  const line = `Gateway: ${method} ${path} ${status}`;
  if (sent === null) return line;
  const blocks = sent.blocks > 0 ? `, ${sent.blocks} ${sent.blocks === 1 ? 'block' : 'blocks'}` : '';
  return `${line} (${sent.model}, ${sent.tokens} tokens${blocks})`;
}
