const vscode = require('vscode');

const summary = [
  '## Strategy',
  'I read the renderer before I changed it.',
  '## Operations',
  '- **read** | Inputs: path=src/tui.ts | Outcome: success',
  '## Status',
  'COMPLETE — the scripted model has spoken.',
].join('\n');

const model = {
  id: 'scripted-1',
  name: 'Scripted One',
  family: 'scripted',
  version: '1',
  maxInputTokens: 100000,
  maxOutputTokens: 4000,
  capabilities: { toolCalling: true },
};

/** Says the same whatever it is asked, a few words at a time. */
exports.activate = (context) => {
  const provider = {
    provideLanguageModelChatInformation: async () => [model],
    async provideLanguageModelChatResponse(_model, _messages, _options, progress) {
      for (const piece of summary.match(/[\s\S]{1,20}/g)) progress.report(new vscode.LanguageModelTextPart(piece));
    },
    provideTokenCount: async (_model, text) => Math.ceil(JSON.stringify(text).length / 4),
  };
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider('strata-test', provider));
};
