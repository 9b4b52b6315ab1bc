import * as vscode from 'vscode';
import type { Gateway } from '../../gateway/gateway';
import { OperationRefused } from '../../inspection/inspection';
import { gatewayCommandId } from '../command-ids';
import { isConfirmed, offer, openDraft } from '../dialogs';
import { tellingFailures } from '../failures/telling-failures';
import { type GatewayControl, portOf, type StartOutcome } from './gateway-control';
import type { NewestConversation } from './newest-conversation';
import { readGatewaySettings } from './settings';
import { copiedText, placeText, type Setup, setupsFor } from './setups';

/** Arguments of the command, for key bindings and links. */
type GatewayAction = 'start' | 'stop' | 'copySetup' | 'newToken' | 'showNewest';

const portKey = 'strata.gateway.port';

interface GatewayCommandParts {
  readonly control: GatewayControl;
  /** The port of the last start is remembered, so that an agent that was set up once finds the gateway again. */
  readonly state: Pick<vscode.Memento, 'get' | 'update'>;
  readonly newest: NewestConversation;
  readonly showPanel: () => Promise<void>;
  readonly log: vscode.LogOutputChannel;
}

export function registerGatewayCommands(parts: GatewayCommandParts): vscode.Disposable {
  const { control } = parts;
  const actions: Readonly<Record<GatewayAction, () => Promise<void>>> = {
    start: () => start(parts),
    stop: () => control.stop(),
    copySetup: () => copySetup(required(control)),
    newToken: () => renewToken(control),
    showNewest: () => showNewest(parts),
  };
  const id = gatewayCommandId;
  return vscode.commands.registerCommand(id, (argument?: unknown) =>
    tellingFailures(parts.log, id, async () => {
      const known = typeof argument === 'string' && Object.hasOwn(actions, argument);
      const action = known ? (argument as GatewayAction) : await chooseAction(control);
      if (action) await actions[action]();
    }),
  );
}

function perform(action: GatewayAction): Thenable<unknown> {
  return vscode.commands.executeCommand(gatewayCommandId, action);
}

function required({ running }: GatewayControl): Gateway {
  if (running) return running;
  throw new OperationRefused(vscode.l10n.t('The gateway is not running.'));
}

async function start(parts: GatewayCommandParts): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    throw new OperationRefused(vscode.l10n.t('The gateway starts only in a workspace that you trust.'));
  }
  const { control, state } = parts;
  const port = readGatewaySettings().port || state.get<number>(portKey, 0);
  const outcome = await control.start(port);
  if (outcome.kind === 'started') await state.update(portKey, portOf(outcome.gateway));
  await tellOfStart(parts, outcome);
}

async function tellOfStart(parts: GatewayCommandParts, outcome: StartOutcome): Promise<void> {
  if (outcome.kind === 'port-taken') await offerAnotherPort(parts, outcome.port);
  // Not awaited: a notification stays until it is dismissed.
  else void tellingFailures(parts.log, gatewayCommandId, () => tellOfGateway(outcome.gateway));
}

/** The other port is not remembered: agents that were set up for the usual one find it again once it is free. */
async function offerAnotherPort(parts: GatewayCommandParts, port: number): Promise<void> {
  const message = vscode.l10n.t(
    'The gateway did not start: another program has the port {0}. It may be the gateway of another window.',
    String(port),
  );
  const useAnother = async () => tellOfStart(parts, await parts.control.start(0));
  await offer(message, { [vscode.l10n.t('Use Another Port')]: useAnother }, 'Warning');
}

async function tellOfGateway({ url }: Gateway): Promise<void> {
  const running = vscode.l10n.t('The gateway of Strata runs at {0}.', url);
  const keys = vscode.l10n.t('Keys of your agents pass through it and are never stored.');
  await offer(`${running} ${keys}`, {
    [vscode.l10n.t('Copy Setup…')]: () => perform('copySetup'),
    [vscode.l10n.t('Show')]: () => perform('showNewest'),
  });
}

async function renewToken(control: GatewayControl): Promise<void> {
  const question = vscode.l10n.t('Make a new token for the gateway?');
  const detail = vscode.l10n.t('Agents that use the current token are refused until you set them up again.');
  if (!(await isConfirmed(question, vscode.l10n.t('Make New Token'), detail))) return;
  await control.renewToken();
  const setup = { [vscode.l10n.t('Copy Setup…')]: () => perform('copySetup') };
  void offer(vscode.l10n.t('The gateway has a new token.'), control.running ? setup : {});
}

async function showNewest({ newest, showPanel }: GatewayCommandParts): Promise<void> {
  if (await newest.showNow()) return;
  await showPanel();
  void vscode.window.showInformationMessage(
    vscode.l10n.t('No agent has asked through the gateway yet. Its conversation opens here as soon as one does.'),
  );
}

/** Asks for one of the actions that are possible now. */
async function chooseAction({ running }: GatewayControl): Promise<GatewayAction | undefined> {
  const newToken = { label: `$(key) ${vscode.l10n.t('New Token')}`, action: 'newToken' as const };
  const choices = running
    ? [
        { label: `$(copy) ${vscode.l10n.t('Copy Setup…')}`, action: 'copySetup' as const },
        { label: `$(eye) ${vscode.l10n.t('Show Newest Conversation')}`, action: 'showNewest' as const },
        { label: `$(debug-stop) ${vscode.l10n.t('Stop Gateway')}`, action: 'stop' as const },
        newToken,
      ]
    : [{ label: `$(play-circle) ${vscode.l10n.t('Start Gateway')}`, action: 'start' as const }, newToken];
  const title = running
    ? vscode.l10n.t('The gateway of Strata runs at {0}', running.url)
    : vscode.l10n.t('The gateway of Strata is not running');
  return (await vscode.window.showQuickPick<(typeof choices)[number]>(choices, { title }))?.action;
}

/** Asks for the agent and copies its setup lines to the clipboard. Opens lines for a file in an editor as well. */
async function copySetup(gateway: Gateway): Promise<void> {
  const setup = await chooseSetup(gateway);
  if (setup === undefined) return;
  await vscode.env.clipboard.writeText(setup.text);
  if (setup.place.kind === 'file') await openDraft(setup.text, 'json');
  void vscode.window.showInformationMessage(copiedText(setup));
}

async function chooseSetup(gateway: Gateway): Promise<Setup | undefined> {
  const picks = setupsFor(gateway).map((setup) => ({ label: setup.name, description: placeText(setup), setup }));
  const title = vscode.l10n.t('Copy Gateway Setup');
  const placeHolder = vscode.l10n.t('Agent to set up. The lines hold the token of the gateway.');
  return (await vscode.window.showQuickPick(picks, { title, placeHolder }))?.setup;
}
