<?php

declare(strict_types=1);

namespace Sinete;

/** A registered application: the authorization-code flow with PKCE (RFC 6749, RFC 7636, RFC 9207). */
final class OAuthApplication
{
    private readonly Transport $transport;

    /** @param string|null $clientSecret absent for a public application */
    public function __construct(
        string $address,
        private readonly string $clientId,
        #[\SensitiveParameter] private readonly ?string $clientSecret,
        private readonly string $redirectUri,
    ) {
        $this->transport = new Transport($address);
    }

    /**
     * @param int|null $lifetime seconds
     * @param string|null $loginHint the CPF or CNPJ of the expected person
     */
    public function begin(string $scope = 'single_signature', ?int $lifetime = null, ?string $loginHint = null): Authorization
    {
        $state = self::random(32);
        $verifier = self::random(64);
        $parameters = array_filter([
            'response_type' => 'code',
            'client_id' => $this->clientId,
            'redirect_uri' => $this->redirectUri,
            'scope' => $scope,
            'state' => $state,
            'code_challenge' => self::base64url(hash('sha256', $verifier, true)),
            'code_challenge_method' => 'S256',
            'lifetime' => $lifetime,
            'login_hint' => $loginHint,
        ], static fn (mixed $value): bool => $value !== null);
        $query = http_build_query($parameters, '', '&', PHP_QUERY_RFC3986);
        return new Authorization(rtrim($this->transport->address, '/') . "/oauth/authorize?{$query}", $state, $verifier);
    }

    /**
     * Exchanges the code. `$answer` has the parameters with which the browser came back, such as `$_GET`.
     *
     * @param array<string, mixed> $answer
     */
    public function finish(Authorization $authorization, #[\SensitiveParameter] array $answer): Token
    {
        $given = array_filter($answer, is_string(...));
        if (!hash_equals($authorization->state, $given['state'] ?? '')) {
            throw new SineteError('NOT_GENUINE', 'The answer belongs to another authorization.');
        }
        if (isset($given['error'])) {
            throw new SineteError('NOT_ALLOWED', $given['error_description'] ?? $given['error']);
        }
        // The code came from this server and not from another one (RFC 9207 §2.4).
        $metadata = $this->transport->readJson('GET', '/.well-known/oauth-authorization-server');
        if (!hash_equals((string) ($metadata['issuer'] ?? ''), $given['iss'] ?? '')) {
            throw new SineteError('NOT_GENUINE', 'The answer comes from another server.');
        }
        return $this->ask([
            'grant_type' => 'authorization_code',
            'code' => $given['code'] ?? '',
            'redirect_uri' => $this->redirectUri,
            'code_verifier' => $authorization->verifier,
        ]);
    }

    /** The next pair of tokens. Each refresh token works once: never repeat a refresh. */
    public function refresh(Token $token): Token
    {
        if ($token->refreshToken === null) {
            throw new SineteError('INPUT_INVALID', 'Ask for the scope offline_access: this token has no refresh token.');
        }
        return $this->ask(['grant_type' => 'refresh_token', 'refresh_token' => $token->refreshToken]);
    }

    /** A token of the application itself. */
    public function clientToken(): Token
    {
        return $this->ask(['grant_type' => 'client_credentials']);
    }

    /** Ends a token, and with a refresh token the whole permission. */
    public function revoke(Token $token): void
    {
        $this->post('/oauth/revoke', ['token' => $token->refreshToken ?? $token->accessToken]);
    }

    /** @param array<string, string> $fields */
    private function ask(#[\SensitiveParameter] array $fields): Token
    {
        $body = $this->post('/oauth', $fields);
        return new Token($body['access_token'], $body['expires_in'], $body['scope'], $body['refresh_token'] ?? null);
    }

    /**
     * @param array<string, string> $fields
     * @return array<string, mixed>
     */
    private function post(string $path, #[\SensitiveParameter] array $fields): array
    {
        $this->transport->requireSecrecy();
        $fields['client_id'] = $this->clientId;
        if ($this->clientSecret !== null) {
            $fields['client_secret'] = $this->clientSecret;
        }
        $headers = ['Content-Type: application/x-www-form-urlencoded'];
        return $this->transport->readJson('POST', $path, $headers, http_build_query($fields));
    }

    private static function random(int $bytes): string
    {
        return self::base64url(random_bytes($bytes));
    }

    private static function base64url(string $bytes): string
    {
        return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    }
}
