CREATE TABLE "ip_whitelist" (
	"ip" text PRIMARY KEY NOT NULL,
	"created_by" uuid,
	"created_by_name" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
