<?php

declare(strict_types=1);

namespace Sinete;

/** An access token, and the refresh token of the scope `offline_access`. Dumps show neither. */
final class Token
{
    public function __construct(
        #[\SensitiveParameter] public readonly string $accessToken,
        public readonly int $expiresIn,
        public readonly string $scope,
        #[\SensitiveParameter] public readonly ?string $refreshToken = null,
    ) {
    }

    public function credentials(): Credentials
    {
        return Credentials::accessToken($this->accessToken);
    }

    /** @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return ['expiresIn' => $this->expiresIn, 'scope' => $this->scope];
    }
}
