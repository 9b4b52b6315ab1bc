import * as s from '../../../platform/json/schemas';

/** Fields of every event. `agentId` names the subagent that the event belongs to. */
export const event = s.record({
  type: s.name,
  id: s.name,
  timestamp: s.name,
  agentId: s.name,
  data: s.anything,
});

export const started = s.record({
  sessionId: s.name,
  selectedModel: s.name,
  context: s.record({ cwd: s.name }),
});

export const userMessage = s.record({
  content: s.text,
  transformedContent: s.name,
  source: s.name,
  isAutopilotContinuation: s.flag,
  attachments: s.records({ type: s.name, mimeType: s.name, data: s.name, assetId: s.name }),
});

export const assistantMessage = s.record({
  content: s.text,
  reasoningText: s.text,
  model: s.name,
  apiCallId: s.name,
  toolRequests: s.records({ toolCallId: s.name, name: s.text, arguments: s.anything }),
});

export const toolResult = s.record({
  toolCallId: s.name,
  isUserRequested: s.flag,
  success: s.flag,
  result: s.record({
    content: s.text,
    binaryResultsForLlm: s.records({ mimeType: s.name, data: s.name, assetId: s.name }),
  }),
  error: s.record({ message: s.text }),
  shellExecution: s.record({ exitCode: s.count }),
});

export const userCommand = s.record({ toolCallId: s.name, arguments: s.record({ command: s.text }) });

export const systemMessage = s.record({ role: s.name, content: s.text });
export const notification = s.record({ content: s.text });

export const usageRecord = s.record({
  usage: s.record({
    apiCallId: s.name,
    inputTokens: s.countOrZero,
    outputTokens: s.countOrZero,
    cacheReadTokens: s.countOrZero,
    cacheWriteTokens: s.countOrZero,
    maxPromptTokens: s.count,
  }),
});

export const modelChange = s.record({ newModel: s.name });
export const titleChange = s.record({ title: s.text });
export const folderChange = s.record({ cwd: s.name });
export const asset = s.record({ assetId: s.name, data: s.name });

export const compactionStart = s.record({ compactionAttemptId: s.name });
export const compactionEnd = s.record({
  compactionAttemptId: s.name,
  success: s.flag,
  summaryContent: s.text,
  preCompactionTokens: s.count,
  postCompactionTokens: s.count,
  trigger: s.name,
});

export const contextCleared = s.record({ initialMessage: s.name });

export const subagentStarted = s.record({ toolCallId: s.name, agentDisplayName: s.text, agentDescription: s.text });
