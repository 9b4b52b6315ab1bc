import * as vscode from 'vscode';
import { brief } from '../../engine/conversation/text';
import { cutToTokens } from '../../inspection/lookup/budget';
import { isIn } from '../../inspection/lookup/find-session';
import { answerTools } from '../../inspection/tools/answers';
import type { ToolCall } from '../../inspection/tools/tool';
import { readInput, readRecallInput, readSessionInput, ToolInputRefused } from '../../inspection/tools/tool-input';
import type { ToolKey } from '../../inspection/tools/tool-names';
import type { SessionSummary } from '../../sessions/session';
import { cancellationBy } from '../cancellation';
import { type EditorSurroundings, surroundingsOfCall } from './tool-call';
import { findNamed } from './tool-target';

/** Text that VS Code shows while a tool runs, and whether it asks for confirmation. */
type Preparation = vscode.PreparedToolInvocation;

/** A tool in the form that VS Code calls. */
export function editorTool(key: ToolKey, surroundings: EditorSurroundings): vscode.LanguageModelTool<unknown> {
  return {
    prepareInvocation: ({ input }) => prepared(key, input, surroundings),
    invoke: async (options, token) => {
      using cancellation = cancellationBy(token, () => new Error('The call was cancelled.'));
      const call = callOf(options, cancellation.signal);
      call.signal.throwIfAborted();
      const answer = await answerTools[key](call, surroundingsOfCall(surroundings, options.toolInvocationToken));
      const text = await bounded(answer, options.tokenizationOptions, token);
      call.signal.throwIfAborted();
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text.toWellFormed())]);
    },
  };
}

function callOf(options: vscode.LanguageModelToolInvocationOptions<unknown>, signal: AbortSignal): ToolCall {
  return {
    input: options.input,
    model: modelOf(options),
    most: options.tokenizationOptions?.tokenBudget ?? Number.POSITIVE_INFINITY,
    signal,
  };
}

/** Newer versions of VS Code name the calling model in a field that is not in the stable API. */
function modelOf(options: object): string | null {
  const model: unknown = 'model' in options ? options.model : null;
  if (typeof model !== 'object' || model === null || !('id' in model)) return null;
  return typeof model.id === 'string' && model.id !== '' ? model.id : null;
}

/** Models count tokens differently, so the text is cut and counted again until the caller's count fits. */
const maxRounds = 8;

async function bounded(
  answer: string,
  options: vscode.LanguageModelToolTokenizationOptions | undefined,
  token: vscode.CancellationToken,
): Promise<string> {
  if (!options) return answer;
  const { tokenBudget } = options;
  let text = answer;
  for (let round = 0; round < maxRounds; round += 1) {
    const counted = await options.countTokens(text, token);
    if (counted <= tokenBudget) return text;
    const length = Math.floor((text.length * tokenBudget) / counted) - 1;
    text = cutToTokens(text, { tokens: length, count: ({ length: units }) => units });
  }
  return text;
}

async function prepared(key: ToolKey, input: unknown, surroundings: EditorSurroundings): Promise<Preparation> {
  try {
    const { session, message } = preparations[key](input);
    return { invocationMessage: message, ...(await confirmation(session, surroundings)) };
  } catch (error) {
    // The call itself will report what is wrong with its input.
    if (error instanceof ToolInputRefused) return {};
    throw error;
  }
}

/** Sessions of other folders may contain confidential content, so the person must confirm. */
async function confirmation(session: string | null, surroundings: EditorSurroundings): Promise<Preparation> {
  const found = session === null ? null : await findNamed(session, surroundings);
  if (found === null || isOpenHere(found, surroundings)) return {};
  const { title, cwd, file } = found;
  const named = brief(title ?? file, maxShownLength);
  const message = vscode.l10n.t('The agent wants to use “{0}” ({1}).', named, cwd ?? file);
  return { confirmationMessages: { title: vscode.l10n.t('Let the agent use a session of another folder?'), message } };
}

function isOpenHere(session: SessionSummary, surroundings: EditorSurroundings): boolean {
  return isIn(session, surroundings.openFolders()) || surroundings.inspected()?.session.file === session.file;
}

const maxShownLength = 80;

/** Reads the named session and makes the message to show while the tool runs. */
type Prepare = (input: unknown) => { readonly session: string | null; readonly message: string };

const preparations: Readonly<Record<ToolKey, Prepare>> = {
  context: (input) => ({
    ...readInput('context', input),
    message: vscode.l10n.t('Reading what is in the context'),
  }),
  lost: (input) => ({
    ...readInput('lost', input),
    message: vscode.l10n.t('Reading what the last compaction lost'),
  }),
  core: (input) => ({ ...readInput('core', input), message: vscode.l10n.t('Reading the protected core') }),
  session: (input) => {
    const asked = readSessionInput(input);
    if (asked.kind === 'list') return { session: null, message: vscode.l10n.t('Listing the sessions of this folder') };
    const { session } = asked;
    return { session, message: vscode.l10n.t('Looking into the session “{0}”', brief(session, maxShownLength)) };
  },
  propose: (input) => {
    const { session, kind, text } = readInput('propose', input);
    const shown = brief(text, maxShownLength);
    return { session, message: vscode.l10n.t('Proposing for the protected core: {0} “{1}”', kind, shown) };
  },
  recall: (input) => {
    const { session, question } = readRecallInput(input);
    if (question.kind !== 'search') {
      return { session, message: vscode.l10n.t('Reading earlier parts of the conversation') };
    }
    const asked = brief(question.query, maxShownLength);
    return { session, message: vscode.l10n.t('Searching earlier parts of the conversation: {0}', asked) };
  },
  compact: (input) => ({ ...readInput('compact', input), message: vscode.l10n.t('Asking for a compaction') }),
};
