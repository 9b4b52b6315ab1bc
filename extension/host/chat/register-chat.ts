import * as vscode from 'vscode';
import type { Placements } from '../panel/placements';
import { registerChatButtons } from './button-commands';
import type { ChatServices } from './chat-services';
import { registerParticipant } from './participant';

export function registerChat(services: ChatServices, placements: Placements): vscode.Disposable {
  return vscode.Disposable.from(registerParticipant(services), registerChatButtons(services, placements));
}
