const vscode = require('vscode');
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

/** The output of a tool is long enough to be worth compacting, and another text each time. */
function sight(at, count) {
  const lines = Array.from({ length: 30 }, (_, line) => `src/part-${count}-${line}.ts:${line + 1} says ${at} ${count}`);
  return lines.join('\n');
}

exports.activate = (context) => {
  let looks = 0;
  const look = {
    invoke: async ({ input }) => {
      looks += 1;
      const text = sight(input.at ?? 'something', looks);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
  };
  context.subscriptions.push(
    vscode.lm.registerTool('scripted_look', look),
    vscode.commands.registerCommand('scriptedAgent.talk', talk),
  );
};

/**
 * Says what the workspace's `talk.json` holds to the Strata model there is, each message with the whole history before it,
 * as agents do; the history is kept in `history.json`, so that it goes on after a reload.
 */
async function talk() {
  const folder = vscode.workspace.workspaceFolders[0].uri.fsPath;
  const { says, model: name } = JSON.parse(readFileSync(join(folder, 'talk.json'), 'utf8'));
  const model = await modelNamed(name);
  const history = readHistory(folder);
  for (const text of says) {
    history.push({ role: 'user', text });
    await answerAll(model, history);
    writeFileSync(join(folder, 'history.json'), JSON.stringify(history));
  }
  const last = says.at(-1).split(' ')[0];
  vscode.window.showInformationMessage(`The agent has said ${says.length} things, up to ${last}`);
}

/** Models of other extensions come a while after the window has started. */
async function modelNamed(name) {
  for (let tries = 0; tries < 40; tries += 1) {
    const models = await vscode.lm.selectChatModels({ vendor: 'strata' });
    const model = models.find((one) => one.name === name);
    if (model) return model;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`There is no ${name}`);
}

function readHistory(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'history.json'), 'utf8'));
  } catch {
    return [];
  }
}

/** One turn: the model answers, its tools run, until it calls none. */
async function answerAll(model, history) {
  const tools = vscode.lm.tools.filter(({ name }) => name === 'scripted_look');
  for (;;) {
    const response = await model.sendRequest(history.flatMap(messageOf), { tools });
    const reply = { role: 'assistant', text: '', calls: [] };
    for await (const part of response.stream) {
      if (part instanceof vscode.LanguageModelTextPart) reply.text += part.value;
      if (part instanceof vscode.LanguageModelToolCallPart)
        reply.calls.push({ id: part.callId, name: part.name, input: part.input });
    }
    history.push(reply);
    if (reply.calls.length === 0) return;
    for (const { id, name, input } of reply.calls) {
      const { content } = await vscode.lm.invokeTool(name, { input });
      history.push({ role: 'tool', id, text: content.map((part) => part.value).join('') });
    }
  }
}

function messageOf({ role, text, calls = [], id }) {
  const { LanguageModelChatMessage: Message, LanguageModelTextPart: Text } = vscode;
  if (role === 'user') return [Message.User(text)];
  if (role === 'tool') return [Message.User([new vscode.LanguageModelToolResultPart(id, [new Text(text)])])];
  const parts = calls.map((call) => new vscode.LanguageModelToolCallPart(call.id, call.name, call.input));
  return [Message.Assistant(text === '' ? parts : [new Text(text), ...parts])];
}
