import { type ModelCommand, plainAnswer } from '../model-command';
import { homeOf } from '../workplace';

/** It always stores its session, so it gets a home folder for this run only, with the files that contain the sign-in. */
export const copilot: ModelCommand = {
  id: 'copilot',
  name: 'GitHub Copilot',
  program: 'copilot',
  shown: 'copilot -s',
  cheapestModel: null,
  contextWindow: 128_000,
  input: 'pipe',
  output: 'text',
  async prepare({ model, place }) {
    await place.borrow(homeOf('COPILOT_HOME', '.copilot'), ['config.json', 'settings.json']);
    return {
      args: [
        ...['-s', '--no-custom-instructions', '--no-color', '--disable-builtin-mcps', '--available-tools=none'],
        ...['--no-auto-update', '--no-ask-user'],
        ...(model === null ? [] : ['--model', model]),
      ],
      environment: { COPILOT_HOME: place.home },
    };
  },
  answerOf: plainAnswer,
};
