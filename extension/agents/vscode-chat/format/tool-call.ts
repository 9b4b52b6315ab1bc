import type { ImagePart, ToolCallPart, ToolResultPart } from '../../../engine/conversation/entry';
import { parsedOrText } from '../../../platform/json/json-text';
import * as s from '../../../platform/json/schemas';
import { shownInput } from '../../../sessions/records/tool-input';
import type { RequestMetadata } from './metadata';
import { locationTexts, plainText } from './text';

/** A tool call as VS Code stores it. The result's text says so if the answer was not stored. */
export interface ToolCall {
  readonly call: ToolCallPart;
  readonly result: { readonly part: ToolResultPart; readonly image: ImagePart | null };
  /** The call itself does not show that the tool has ended; later parts of the response may. */
  readonly mayRun: boolean;
  /** The text is from the metadata of the request's result, not from this part of the response. */
  readonly isFromMetadata: boolean;
}

const toolPart = s.record({
  toolId: s.name,
  invocationMessage: s.anything,
  pastTenseMessage: s.anything,
  isConfirmed: s.anything,
  resultDetails: s.anything,
  /** Its kind determines its fields. */
  toolSpecificData: s.record({
    kind: s.name,
    command: s.anything,
    commandLine: s.record({ userEdited: s.name, toolEdited: s.name, original: s.name }),
    rawInput: s.anything,
    input: s.text,
    output: s.textOrNull,
    agentName: s.anything,
    description: s.anything,
    prompt: s.anything,
    result: s.textOrNull,
    todoList: s.anything,
    terminalCommandOutput: s.record({ text: s.textOrNull }),
    terminalCommandState: s.record({ exitCode: s.anything }),
  }),
});

type ToolPart = s.Read<typeof toolPart>;
type SpecificData = ToolPart['toolSpecificData'];

const resultDetails = s.record({ input: s.textOrNull, output: s.anything, isError: s.flag });

const dataOutput = {
  type: s.name,
  isText: s.anything,
  mimeType: s.name,
  uri: s.anything,
  value: s.text,
  base64Data: s.name,
};

const dataRecord = s.optionalRecord(dataOutput);
const dataRecords = s.records(dataOutput);

type Data = s.Read<typeof dataRecords>[number];

const todoItems = s.records({ status: s.anything, title: s.anything });

const confirmation = s.record({ type: s.anything });

/** `recordedId` is the id in the file, also used in the metadata; `callId` is unique within the response. */
export function toolCallOf(record: unknown, recordedId: string, callId: string, metadata: RequestMetadata): ToolCall {
  const part = s.read(toolPart, record);
  const round = metadata.callOf(recordedId);
  const name = round?.name ?? part.toolId ?? 'tool';
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

function inputOf(part: ToolPart): unknown {
  const { input } = s.read(resultDetails, part.resultDetails);
  if (input !== null) return parsedOrText(input);
  return specificInput(part.toolSpecificData) ?? plainText(part.invocationMessage);
}

function specificInput(data: SpecificData): unknown {
  switch (data.kind) {
    case 'terminal':
    case 'terminal2':
      return { command: commandOf(data) };
    case 'input':
      return data.rawInput;
    case 'simpleToolInvocation':
      return parsedOrText(data.input);
    case 'subagent':
      return { agent: data.agentName, description: data.description, prompt: data.prompt };
    case 'todoList':
      return { todoList: data.todoList };
    default:
      return undefined;
  }
}

/** Older versions have one command; newer ones distinguish the requested command from the executed one. */
function commandOf({ commandLine, command }: SpecificData): string {
  return commandLine.userEdited ?? commandLine.toolEdited ?? commandLine.original ?? plainText(command);
}

/** The tool's answer, if this part of the response contains it. */
function answerOf(part: ToolPart): string | null {
  return detailsText(part.resultDetails) ?? specificAnswer(part.toolSpecificData);
}

function detailsText(details: unknown): string | null {
  if (Array.isArray(details)) return locationTexts(details).join('\n');
  const { output } = s.read(resultDetails, details);
  if (typeof output === 'string') return output;
  if (Array.isArray(output)) return s.read(dataRecords, output).map(outputText).join('\n');
  const data = s.read(dataRecord, output);
  return data === null ? null : `[${data.mimeType ?? 'data'}]`;
}

function outputText({ type, isText, mimeType, uri, value }: Data): string {
  if (type === 'ref') return locationTexts([uri]).join('');
  return isText === false ? `[${mimeType ?? 'data'}]` : value;
}

function specificAnswer(data: SpecificData): string | null {
  switch (data.kind) {
    case 'terminal':
      return terminalAnswer(data);
    case 'simpleToolInvocation':
      return data.output;
    case 'subagent':
      return data.result;
    case 'todoList':
      return s
        .read(todoItems, data.todoList)
        .map(({ status, title }) => `${plainText(status)}: ${plainText(title)}`)
        .join('\n');
    default:
      return null;
  }
}

function terminalAnswer({ terminalCommandOutput: { text }, terminalCommandState: { exitCode } }: SpecificData) {
  const exit = typeof exitCode === 'number' ? `Exit code ${exitCode}` : null;
  return text === null ? exit : [text.trimEnd(), exit].filter((line) => line !== null).join('\n');
}

/** VS Code marks every call as complete. A call is running if it has no message about its end. */
function isStillRunning(part: ToolPart): boolean {
  return plainText(part.pastTenseMessage) === '' && !isRefused(part);
}

function missingAnswerText(part: ToolPart): string {
  if (isRefused(part)) return 'The person did not let this tool run.';
  const message = plainText(part.pastTenseMessage);
  return `${message === '' ? '' : `${message}\n`}[VS Code did not keep what this tool answered.]`;
}

/** 0: denied, 5: skipped; older versions write a boolean. */
function isRefused({ isConfirmed }: ToolPart): boolean {
  const { type } = s.read(confirmation, isConfirmed);
  return isConfirmed === false || type === 0 || type === 5;
}

function isError(part: ToolPart): boolean {
  if (isRefused(part) || s.read(resultDetails, part.resultDetails).isError) return true;
  const { exitCode } = part.toolSpecificData.terminalCommandState;
  return typeof exitCode === 'number' && exitCode !== 0;
}

function imageOf(part: ToolPart): ImagePart | null {
  const { output } = s.read(resultDetails, part.resultDetails);
  const outputs = Array.isArray(output) ? s.read(dataRecords, output) : [s.read(dataRecord, output)];
  const image = outputs.find((data) => data?.mimeType?.startsWith('image/'));
  if (!image) return null;
  const { mimeType, base64Data, value } = image;
  return { type: 'image', mediaType: mimeType ?? 'image/*', data: base64Data ?? (value === '' ? null : value) };
}
