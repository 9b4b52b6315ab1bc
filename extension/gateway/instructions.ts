import { agentAddress } from './address';

/** How to configure one agent to use the gateway. */
export interface AgentInstruction {
  readonly agent: string;
  /** Where the text belongs: a shell, or a file of the agent. */
  readonly place: string;
  readonly text: string;
}

/** Instructions for the agents with a configurable provider URL. */
export function agentInstructions(gatewayUrl: string, token: string): readonly AgentInstruction[] {
  const openai = agentAddress(gatewayUrl, token, 'openai');
  const anthropic = agentAddress(gatewayUrl, token, 'anthropic');
  return [
    { agent: 'Codex', place: 'shell', text: codexCommand(openai) },
    { agent: 'Claude Code', place: 'shell', text: `ANTHROPIC_BASE_URL=${anthropic} claude` },
    { agent: 'pi', place: '~/.pi/agent/models.json', text: providers(piProviders(openai, anthropic)) },
    { agent: 'OpenCode', place: 'opencode.json', text: providers(openCodeProviders(openai, anthropic)) },
  ];
}

function codexCommand(address: string): string {
  const provider = `{name="Strata",base_url="${address}",env_key="OPENAI_API_KEY",wire_api="responses"}`;
  return `codex -c model_provider=strata -c 'model_providers.strata=${provider}'`;
}

function piProviders(openai: string, anthropic: string) {
  return { providers: { openai: { baseUrl: openai }, anthropic: { baseUrl: anthropic } } };
}

/** OpenCode expects the API version in Anthropic's base URL. */
function openCodeProviders(openai: string, anthropic: string) {
  return {
    provider: { openai: { options: { baseURL: openai } }, anthropic: { options: { baseURL: `${anthropic}/v1` } } },
  };
}

function providers(settings: object): string {
  return JSON.stringify(settings);
}

export function instructionsText(gatewayUrl: string, token: string): string {
  return agentInstructions(gatewayUrl, token)
    .map(({ agent, place, text }) => `${agent} (${place}):\n  ${text}`)
    .join('\n');
}
