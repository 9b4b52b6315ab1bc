import { type ImagePart, type Part, type ToolResultPart, textOf } from '../../engine/conversation/entry';

export type ResultParts = readonly [ToolResultPart, ...ImagePart[]];

/** The parts of a tool result entry: the texts of its content as one, then its images. */
export function resultParts(result: Omit<ToolResultPart, 'type' | 'text'>, content: readonly Part[]): ResultParts {
  return [
    { type: 'tool_result', ...result, text: textOf(content) },
    ...content.filter((part) => part.type === 'image'),
  ];
}
