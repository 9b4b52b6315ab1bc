import { type ModelCommand, plainAnswer } from '../model-command';

/** No tools, extensions, skills or project files, and no session on disk. */
export const pi: ModelCommand = {
  id: 'pi',
  name: 'pi',
  program: 'pi',
  shown: 'pi -p',
  cheapestModel: null,
  contextWindow: 128_000,
  input: 'pipe',
  output: 'text',
  prepare: async ({ model, role }) => ({
    args: [
      ...['-p', '--no-session', '--no-tools', '--no-extensions', '--no-skills', '--no-prompt-templates'],
      ...['--no-context-files', '--no-themes', '--system-prompt', role],
      ...(model === null ? [] : ['--model', model]),
    ],
  }),
  answerOf: plainAnswer,
};
