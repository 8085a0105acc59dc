<?php

declare(strict_types=1);

namespace Sinete;

/** Callbacks and webhooks of Sinete (Standard Webhooks): verified before anything is believed. */
final class Webhook
{
    /** Seconds by which the clock of the sender may differ. */
    public const TOLERANCE = 300;

    /**
     * Answers the body of a genuine callback; throws `NOT_GENUINE` otherwise. A callback may come more than once: store
     * its `webhook-id`.
     *
     * @param array<string, string> $headers names in any letter case, as `getallheaders()` answers them
     * @param string $body the body as received, before any JSON is read
     * @param string $secret the `whsec_…` of the application or of the endpoint
     * @return array<string, mixed>
     */
    public static function verify(
        array $headers,
        string $body,
        #[\SensitiveParameter] string $secret,
        ?int $now = null,
    ): array {
        $lower = array_change_key_case($headers);
        $id = $lower['webhook-id'] ?? '';
        $sentAt = $lower['webhook-timestamp'] ?? '';
        if ($id === '' || !ctype_digit($sentAt)) {
            throw new SineteError('NOT_GENUINE', 'The headers of the callback are missing.');
        }
        if (abs(($now ?? time()) - (int) $sentAt) > self::TOLERANCE) {
            throw new SineteError('NOT_GENUINE', 'The callback is too old, or the clocks differ.');
        }
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret) ?? '', true);
        if ($key === false || $key === '') {
            throw new \InvalidArgumentException('The secret of the webhook is not a whsec_… text.');
        }
        $wanted = 'v1,' . base64_encode(hash_hmac('sha256', "{$id}.{$sentAt}.{$body}", $key, true));
        // While a secret is being replaced there are two signatures; one of them has to fit.
        $isGenuine = false;
        foreach (explode(' ', $lower['webhook-signature'] ?? '') as $given) {
            $isGenuine = hash_equals($wanted, $given) || $isGenuine;
        }
        $value = $isGenuine ? json_decode($body, true) : null;
        if (!is_array($value)) {
            throw new SineteError('NOT_GENUINE', 'The signature of the callback is wrong.');
        }
        return $value;
    }
}
