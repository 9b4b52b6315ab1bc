import type { ImagePart, ToolCallPart, ToolResultPart } from '../../engine/conversation/entry';
import { asList, asName, asRecord, asRecords, asText, type JsonRecord } from '../records/json';
import { shownInput } from '../records/tool-input';
import type { RequestMetadata } from './metadata';
import { parsedOrText, plainText, textsOf } from './text';

/** A tool call as VS Code keeps it. What it does not keep is said in the result's text. */
export interface ToolCall {
  readonly call: ToolCallPart;
  readonly result: { readonly part: ToolResultPart; readonly picture: ImagePart | null };
  /** Nothing in the call tells that the tool has ended; the response around it may. */
  readonly mayRun: boolean;
  /** The text came with the result of the whole request, not with this part of the response. */
  readonly isFromMetadata: boolean;
}

/** `known` is the id that the metadata may tell of, `callId` the one that is this call's alone. */
export function toolCallOf(part: JsonRecord, known: string, callId: string, metadata: RequestMetadata): ToolCall {
  const round = metadata.callOf(known);
  const name = round?.name ?? asName(part.toolId) ?? 'tool';
  const input = shownInput(round?.input ?? inputOf(part));
  const told = metadata.resultOf(known);
  const kept = told ?? answerOf(part);
  const text = kept ?? unkeptText(part);
  return {
    call: { type: 'tool_call', callId, name, input },
    result: { part: { type: 'tool_result', callId, name, text, isError: isError(part) }, picture: pictureOf(part) },
    mayRun: kept === null && isStillRunning(part),
    isFromMetadata: told !== null,
  };
}

function inputOf(part: JsonRecord): unknown {
  const specific = asRecord(part.toolSpecificData) ?? {};
  const details = asRecord(part.resultDetails);
  if (details !== null && typeof details.input === 'string') return parsedOrText(details.input);
  return specificInput(specific) ?? plainText(part.invocationMessage);
}

function specificInput(specific: JsonRecord): unknown {
  switch (specific.kind) {
    case 'terminal':
    case 'terminal2':
      return { command: commandOf(specific) };
    case 'input':
      return specific.rawInput;
    case 'simpleToolInvocation':
      return parsedOrText(asText(specific.input) ?? '');
    case 'subagent':
      return { agent: specific.agentName, description: specific.description, prompt: specific.prompt };
    case 'todoList':
      return { todoList: specific.todoList };
    default:
      return undefined;
  }
}

/** Older versions have one command; newer ones tell what the model asked for from what was run. */
function commandOf(specific: JsonRecord): string {
  const line = asRecord(specific.commandLine);
  return asName(line?.userEdited) ?? asName(line?.toolEdited) ?? asName(line?.original) ?? plainText(specific.command);
}

/** What the tool answered, as far as this part of the response holds it. */
function answerOf(part: JsonRecord): string | null {
  const specific = asRecord(part.toolSpecificData) ?? {};
  return detailsText(part.resultDetails) ?? specificAnswer(specific);
}

function detailsText(details: unknown): string | null {
  if (Array.isArray(details)) return textsOf(details).join('\n');
  const output = asRecord(details)?.output;
  if (typeof output === 'string') return output;
  if (Array.isArray(output)) return asRecords(output).map(outputText).join('\n');
  const data = asRecord(output);
  if (data === null) return null;
  return `[${asName(data.mimeType) ?? 'data'}]`;
}

function outputText(output: JsonRecord): string {
  if (output.type === 'ref') return textsOf([output.uri]).join('');
  if (output.isText === false) return `[${asName(output.mimeType) ?? 'data'}]`;
  return asText(output.value) ?? '';
}

function specificAnswer(specific: JsonRecord): string | null {
  switch (specific.kind) {
    case 'terminal':
      return terminalAnswer(specific);
    case 'simpleToolInvocation':
      return asText(specific.output);
    case 'subagent':
      return asText(specific.result);
    case 'todoList':
      return asRecords(specific.todoList)
        .map((item) => `${plainText(item.status)}: ${plainText(item.title)}`)
        .join('\n');
    default:
      return null;
  }
}

function terminalAnswer(specific: JsonRecord): string | null {
  const text = asText(asRecord(specific.terminalCommandOutput)?.text);
  const exitCode = asRecord(specific.terminalCommandState)?.exitCode;
  const exit = typeof exitCode === 'number' ? `Exit code ${exitCode}` : null;
  return text === null ? exit : [text.trimEnd(), exit].filter((line) => line !== null).join('\n');
}

/** VS Code writes every call as complete, so only what is missing tells of one that still runs. */
function isStillRunning(part: JsonRecord): boolean {
  return plainText(part.pastTenseMessage) === '' && !isRefused(part);
}

function unkeptText(part: JsonRecord): string {
  if (isRefused(part)) return 'The person did not let this tool run.';
  const message = plainText(part.pastTenseMessage);
  return `${message === '' ? '' : `${message}\n`}[VS Code did not keep what this tool answered.]`;
}

/** 0: denied, 5: skipped; older versions say true or false. */
function isRefused({ isConfirmed }: JsonRecord): boolean {
  const type = asRecord(isConfirmed)?.type;
  return isConfirmed === false || type === 0 || type === 5;
}

function isError(part: JsonRecord): boolean {
  if (isRefused(part) || asRecord(part.resultDetails)?.isError === true) return true;
  const exitCode = asRecord(asRecord(part.toolSpecificData)?.terminalCommandState)?.exitCode;
  return typeof exitCode === 'number' && exitCode !== 0;
}

function pictureOf(part: JsonRecord): ImagePart | null {
  const output = asRecord(part.resultDetails)?.output;
  const only = asRecord(output);
  const embedded = asList(output).map(asRecord);
  const image = [only, ...embedded].find((item) => asName(item?.mimeType)?.startsWith('image/'));
  if (!image) return null;
  return {
    type: 'image',
    mediaType: asName(image.mimeType) ?? 'image/*',
    data: asName(image.base64Data) ?? asName(image.value),
  };
}
