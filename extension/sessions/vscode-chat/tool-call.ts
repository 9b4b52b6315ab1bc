import type { ImagePart, ToolCallPart, ToolResultPart } from '../../engine/conversation/entry';
import { asList, asName, asRecord, asRecords, asText, type JsonRecord } from '../records/json';
import { shownInput } from '../records/tool-input';
import type { RequestMetadata } from './metadata';
import { parsedOrText, plainText, textsOf } from './text';

/** A tool call as VS Code stores it. The result's text says so if the answer was not stored. */
export interface ToolCall {
  readonly call: ToolCallPart;
  readonly result: { readonly part: ToolResultPart; readonly image: ImagePart | null };
  /** The call itself does not show that the tool has ended; later parts of the response may. */
  readonly mayRun: boolean;
  /** The text is from the metadata of the request's result, not from this part of the response. */
  readonly isFromMetadata: boolean;
}

/** `recordedId` is the id in the file, also used in the metadata; `callId` is unique within the response. */
export function toolCallOf(part: JsonRecord, recordedId: string, callId: string, metadata: RequestMetadata): ToolCall {
  const round = metadata.callOf(recordedId);
  const name = round?.name ?? asName(part.toolId) ?? 'tool';
  const input = shownInput(round?.input ?? inputOf(part));
  const fromMetadata = metadata.resultOf(recordedId);
  const answer = fromMetadata ?? answerOf(part);
  const text = answer ?? missingAnswerText(part);
  return {
    call: { type: 'tool_call', callId, name, input },
    result: { part: { type: 'tool_result', callId, name, text, isError: isError(part) }, image: imageOf(part) },
    mayRun: answer === null && isStillRunning(part),
    isFromMetadata: fromMetadata !== null,
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

/** Older versions have one command; newer ones distinguish the requested command from the executed one. */
function commandOf(specific: JsonRecord): string {
  const line = asRecord(specific.commandLine);
  return asName(line?.userEdited) ?? asName(line?.toolEdited) ?? asName(line?.original) ?? plainText(specific.command);
}

/** The tool's answer, if this part of the response contains it. */
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

/** VS Code marks every call as complete. A call is running if it has no message about its end. */
function isStillRunning(part: JsonRecord): boolean {
  return plainText(part.pastTenseMessage) === '' && !isRefused(part);
}

function missingAnswerText(part: JsonRecord): string {
  if (isRefused(part)) return 'The person did not let this tool run.';
  const message = plainText(part.pastTenseMessage);
  return `${message === '' ? '' : `${message}\n`}[VS Code did not keep what this tool answered.]`;
}

/** 0: denied, 5: skipped; older versions write a boolean. */
function isRefused({ isConfirmed }: JsonRecord): boolean {
  const type = asRecord(isConfirmed)?.type;
  return isConfirmed === false || type === 0 || type === 5;
}

function isError(part: JsonRecord): boolean {
  if (isRefused(part) || asRecord(part.resultDetails)?.isError === true) return true;
  const exitCode = asRecord(asRecord(part.toolSpecificData)?.terminalCommandState)?.exitCode;
  return typeof exitCode === 'number' && exitCode !== 0;
}

function imageOf(part: JsonRecord): ImagePart | null {
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
