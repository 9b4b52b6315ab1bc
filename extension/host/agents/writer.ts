import * as vscode from 'vscode';
import type { WrittenWriter } from '../../inside/service/writer';
import type { ChosenWriter } from '../../inside/writer';
import type { ModelAccess } from '../models/model-access';
import { isSummarizerChosen, readModelSettings } from '../models/model-settings';

type Models = Pick<ModelAccess, 'toolsFor'>;

/** Who writes the blocks of sessions in agents, by the settings. */
export function chosenWriter(models: Models): ChosenWriter {
  if (readModelSettings().kind !== 'none') return { kind: 'model', tools: () => models.toolsFor('automatic') };
  return { kind: isSummarizerChosen() ? 'nobody' : 'unanswered' };
}

/** The same for programs that run without the editor. They get no key, and no model that the person did not agree to. */
export async function writtenWriter(models: Models): Promise<WrittenWriter> {
  const writer = chosenWriter(models);
  if (writer.kind !== 'model') return writer;
  const ready = await writer.tools();
  if (ready.kind === 'refused') return { kind: 'editor', message: ready.message };
  const { kind, command, openAi } = readModelSettings();
  if (kind === 'command') return { kind, ...command, line: [...command.line] };
  const { baseUrl, model, timeoutMs, contextWindow } = openAi;
  if (kind === 'openai') return { kind, baseUrl, model, timeoutMs, contextWindow };
  return { kind: 'editor', message: vscode.l10n.t('Only VS Code can ask its language models, and it is not running.') };
}
