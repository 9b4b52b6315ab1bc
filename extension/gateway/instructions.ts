import { agentAddress } from './address';

/** How to configure one agent to use the gateway. */
interface AgentInstruction {
  readonly agent: string;
  /** Where the text belongs: a shell, or a file of the agent. */
  readonly place: 'shell' | 'PowerShell' | (string & {});
  readonly text: string;
}

/** Instructions for the agents with a configurable provider URL. */
export function agentInstructions(
  gatewayUrl: string,
  token: string,
  platform: NodeJS.Platform = process.platform,
): readonly AgentInstruction[] {
  const shell = platform === 'win32' ? 'PowerShell' : 'shell';
  const openai = agentAddress(gatewayUrl, token, 'openai');
  const anthropic = agentAddress(gatewayUrl, token, 'anthropic');
  return [
    { agent: 'Codex', place: shell, text: platform === 'win32' ? unquotedCodexCommand(openai) : codexCommand(openai) },
    { agent: 'Claude Code', place: shell, text: claudeCommand(anthropic, platform) },
    { agent: 'pi', place: '~/.pi/agent/models.json', text: providers(piProviders(openai, anthropic)) },
    { agent: 'OpenCode', place: 'opencode.json', text: providers(openCodeProviders(openai, anthropic)) },
  ];
}

function codexCommand(address: string): string {
  const provider = `{name="Strata",base_url="${address}",env_key="OPENAI_API_KEY",wire_api="responses"}`;
  return `codex -c model_provider=strata -c 'model_providers.strata=${provider}'`;
}

/** Windows PowerShell drops the quotes of an argument. Codex reads a value that is not TOML as text. */
function unquotedCodexCommand(address: string): string {
  const values = { name: 'Strata', base_url: address, env_key: 'OPENAI_API_KEY', wire_api: 'responses' };
  const options = Object.entries(values).map(([key, value]) => `-c model_providers.strata.${key}=${value}`);
  return ['codex -c model_provider=strata', ...options].join(' ');
}

function claudeCommand(address: string, platform: NodeJS.Platform): string {
  return platform === 'win32'
    ? `${variableLine('ANTHROPIC_BASE_URL', address, platform)}; claude`
    : `ANTHROPIC_BASE_URL=${address} claude`;
}

/** Sets a variable for programs that are started in this shell afterwards. */
export function variableLine(name: string, value: string, platform: NodeJS.Platform = process.platform): string {
  return platform === 'win32' ? `$env:${name} = '${value}'` : `export ${name}=${value}`;
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
