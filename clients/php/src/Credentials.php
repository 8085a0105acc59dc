<?php

declare(strict_types=1);

namespace Sinete;

/** Credentials, as values of the header `Authorization`. Dumps and stack traces do not show the secret. */
final class Credentials
{
    private function __construct(#[\SensitiveParameter] private readonly string $authorization)
    {
    }

    /** The person and the application of an access token. */
    public static function accessToken(#[\SensitiveParameter] string $token): self
    {
        return new self("Bearer {$token}");
    }

    /** A registered application, for the selected user. */
    public static function application(string $clientId, #[\SensitiveParameter] string $clientSecret): self
    {
        return new self('Sinete ' . base64_encode("{$clientId}:{$clientSecret}"));
    }

    /** A person: CPF or CNPJ, and a one-time password, which approves one transaction. */
    public static function person(string $username, #[\SensitiveParameter] string $oneTimePassword): self
    {
        return new self('Basic ' . base64_encode("{$username}:{$oneTimePassword}"));
    }

    /** @internal */
    public function header(): string
    {
        return "Authorization: {$this->authorization}";
    }

    /** @return array<string, string> */
    public function __debugInfo(): array
    {
        return ['authorization' => '(secret)'];
    }
}
