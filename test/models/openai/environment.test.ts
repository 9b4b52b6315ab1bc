import { describe, expect, it } from 'vitest';
import { endpointOf } from '../../../extension/models/openai/endpoint';
import { openAiAccess } from '../../../extension/models/openai/environment';

const theirs = { OPENAI_API_KEY: 'sk-openai' };

describe('access to an OpenAI-compatible server', () => {
  it('access to an OpenAI-compatible server is OpenAI’s own if nothing else is said, with its key', () => {
    expect(openAiAccess({ model: 'gpt' }, theirs)).toEqual({
      baseUrl: 'https://api.openai.com/v1',
      model: 'gpt',
      apiKey: 'sk-openai',
    });
  });

  it.each([
    'https://evil.example/v1',
    'http://api.openai.com/v1',
    'https://api.openai.com.evil.example/v1',
    'https://api.openai.com:8443/v1',
    'http://localhost:1234/v1',
    'nonsense',
  ])('never takes OpenAI’s key to %s', (baseUrl) => {
    expect(openAiAccess({ baseUrl, model: 'm' }, theirs).apiKey).toBeNull();
  });

  it('comes from the settings first, then from the environment', () => {
    const environment = {
      STRATA_OPENAI_BASE_URL: 'http://localhost:1234/v1',
      STRATA_OPENAI_MODEL: 'local',
      STRATA_OPENAI_API_KEY: 'key',
    };
    expect(openAiAccess({ baseUrl: '', model: '' }, environment)).toEqual({
      baseUrl: 'http://localhost:1234/v1',
      model: 'local',
      apiKey: 'key',
    });
    expect(openAiAccess({ baseUrl: 'https://a.example/v1', model: 'b', apiKey: 'c' }, environment)).toEqual({
      baseUrl: 'https://a.example/v1',
      model: 'b',
      apiKey: 'c',
    });
  });
});

describe('an endpoint', () => {
  it.each([
    ['http://localhost:11434/v1/', 'http://localhost:11434/v1', true],
    ['http://127.0.0.1:1234/v1', 'http://127.0.0.1:1234/v1', true],
    ['http://[::1]:8080/v1', 'http://[::1]:8080/v1', true],
    ['https://models.example/api/v1/chat/completions', 'https://models.example/api/v1', false],
    ['http://localhost.evil.example/v1', 'http://localhost.evil.example/v1', false],
    ['http://127.0.0.1.evil.example/v1', 'http://127.0.0.1.evil.example/v1', false],
  ])('%s', (given, baseUrl, isLocal) => {
    expect(endpointOf(given)).toMatchObject({ baseUrl, isLocal });
  });
});
