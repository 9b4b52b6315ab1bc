import * as vscode from 'vscode';

/** Asks in a modal dialog. False if the person cancels. */
export async function isConfirmed(question: string, act: string, detail: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, act)) === act;
}

/** Shows a notification with these buttons, and does what the chosen one stands for. */
export async function offer(
  message: string,
  acts: Readonly<Record<string, () => unknown>>,
  kind: 'Information' | 'Warning' | 'Error' = 'Information',
): Promise<void> {
  const chosen = await vscode.window[`show${kind}Message`](message, ...Object.keys(acts));
  if (chosen !== undefined) await acts[chosen]?.();
}

/** Opens a text in an untitled document, for the person to edit and use. */
export async function openDraft(content: string, language = 'markdown'): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument({ language, content });
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

/** Begins a chat with this text in its input. The person sends it. */
export async function openNewChat(query: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.chat.newChat');
  await vscode.commands.executeCommand('workbench.action.chat.open', { query, isPartialQuery: true });
}
