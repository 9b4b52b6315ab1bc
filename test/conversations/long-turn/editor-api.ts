import { editorApi as messageApi, Text } from '../../host/provider/fake-editor';
import { partText, toolName } from './model';

export const definition = {
  name: toolName,
  description: 'Reads a part of the parser.',
  inputSchema: { type: 'object', properties: { part: { type: 'string' } }, required: ['part'] },
};

/** The part of `vscode` that `@strata` and the Strata models need, for a person who changed no setting. */
export function editorApi(chatApi: object) {
  return {
    ...chatApi,
    ...messageApi,
    LanguageModelPromptTsxPart: class LanguageModelPromptTsxPart {},
    lm: {
      tools: [definition],
      invokeTool: async (_name: string, { input }: { input: { part: string } }) => ({
        content: [new Text(partText(input.part))],
      }),
    },
    workspace: {
      workspaceFolders: [],
      isTrusted: true,
      getConfiguration: () => ({ get: (_name: string, standard: unknown) => standard }),
    },
  };
}
