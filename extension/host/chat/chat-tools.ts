import * as vscode from 'vscode';
import type { Part, ToolCallPart } from '../../engine/conversation/entry';
import type { ChatTool } from '../../models/chat-model';
import { settingsSection } from '../settings';
import { toolFailure, toolResultParts } from './tool-results';

/** Maximum number of tools that providers accept in one request. */
const mostTools = 128;

/** The tools of the editor that a request may use: first those named in the message, then those of the settings. */
export function chatTools({ toolReferences }: vscode.ChatRequest): ChatTool[] {
  const named = new Set(toolReferences.map(({ name }) => name));
  const chosen = new Set(vscode.workspace.getConfiguration(settingsSection).get<string[]>('chat.tools', []));
  const offered = vscode.lm.tools.filter(({ name }) => named.has(name) || chosen.size === 0 || chosen.has(name));
  const first = offered.filter(({ name }) => named.has(name));
  const rest = offered.filter(({ name }) => !named.has(name));
  return [...first, ...rest].slice(0, mostTools).map(({ name, description, inputSchema }) => ({
    name,
    description,
    ...(inputSchema ? { inputSchema } : {}),
  }));
}

/** Runs one call. VS Code may ask the person to confirm it. A failure becomes a result that says so. */
export async function runTool(
  call: ToolCallPart,
  toolInvocationToken: vscode.ChatParticipantToolToken,
  token: vscode.CancellationToken,
): Promise<Part[]> {
  const { name, input } = call;
  if (typeof input !== 'object' || input === null) return toolFailure(call, 'Its arguments are no JSON object.');
  try {
    return toolResultParts(call, await vscode.lm.invokeTool(name, { input, toolInvocationToken }, token));
  } catch (error) {
    return toolFailure(call, token.isCancellationRequested ? 'It was cancelled.' : error);
  }
}
