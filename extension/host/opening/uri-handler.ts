import * as vscode from 'vscode';
import { OperationRefused } from '../../inspection/inspection';
import { isConfirmed } from '../dialogs';
import { tellingFailures } from '../failures/telling-failures';
import type { Inspector } from '../inspector';
import type { Placements } from '../panel/placements';
import type { SessionList } from './session-list';
import { type LinkFault, readSessionLink, type SessionLink } from './session-uri';

export interface LinkServices {
  readonly inspector: Inspector;
  readonly placements: Placements;
  readonly sessions: SessionList;
  readonly log: vscode.LogOutputChannel;
}

/** Opens sessions from links of other programs: `vscode://strata.strata/open?file=…`. Writes nothing. */
export function registerUriHandler(services: LinkServices): vscode.Disposable {
  return vscode.window.registerUriHandler({
    handleUri: (uri) => tellingFailures(services.log, 'vscode://strata.strata', () => follow(services, uri)),
  });
}

async function follow(services: LinkServices, uri: vscode.Uri): Promise<void> {
  const file = await fileOf(services.sessions, readSessionLink(uri));
  if (file === null) return;
  await services.inspector.open(file);
  await services.placements.show();
}

/** Null if the person declines. */
async function fileOf(sessions: SessionList, link: SessionLink): Promise<string | null> {
  switch (link.kind) {
    case 'malformed':
      throw new OperationRefused(faultText(link.reason));
    case 'session':
      return await agreed(sessions, await listed(sessions, link.agent, link.id));
    case 'file':
      return await agreed(sessions, link.file);
  }
}

/** The file, or null if the person declines. Asks unless an agent itself keeps the file where it keeps its sessions. */
async function agreed(sessions: SessionList, file: string): Promise<string | null> {
  const isOfAgent = sessions.isInAgentFolder(file) && (await isListed(sessions, file));
  return isOfAgent || (await isWanted(file)) ? file : null;
}

async function listed(sessions: SessionList, agent: string, id: string): Promise<string> {
  const file = await sessions.fileOf(agent, id);
  if (file !== null) return file;
  throw new OperationRefused(vscode.l10n.t('No session of {0} with the id {1} was found on this machine.', agent, id));
}

async function isListed(sessions: SessionList, file: string): Promise<boolean> {
  return (await sessions.read()).some((session) => session.file === file);
}

/** Links come from anyone, and even checking a network path can reveal the user to another machine, so ask first. */
function isWanted(file: string): Promise<boolean> {
  const question = vscode.l10n.t('A link asks Strata to open this file as a session. Open it?');
  return isConfirmed(question, vscode.l10n.t('Open'), file);
}

function faultText(reason: LinkFault): string {
  switch (reason) {
    case 'unknown-action':
      return vscode.l10n.t('Strata cannot follow this link: its path must be /open.');
    case 'nothing-named':
      return vscode.l10n.t('Strata cannot follow this link: it must name a file, or an agent and the id of a session.');
    case 'relative-path':
      return vscode.l10n.t('Strata cannot follow this link: the path of its file must be absolute.');
    case 'not-plain':
      return vscode.l10n.t('Strata does not follow this link: it contains invisible characters.');
  }
}
