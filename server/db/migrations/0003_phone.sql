CREATE TABLE "call_interceptions" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"is_active" boolean NOT NULL,
	"group_ids" uuid[] NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "calls" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"caller_number" text NOT NULL,
	"caller_name" text,
	"caller_user_id" uuid,
	"caller_device_id" uuid,
	"caller_domain_id" uuid,
	"callee_number" text NOT NULL,
	"callee_name" text,
	"callee_user_id" uuid,
	"callee_device_id" uuid,
	"callee_domain_id" uuid,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"sos" boolean DEFAULT false NOT NULL,
	"video" boolean DEFAULT false NOT NULL,
	"trunk" text,
	"answered_by" text,
	"answered_by_name" text,
	"answered_by_user_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"history_status" text,
	"end_reason" text,
	"door_opened" boolean DEFAULT false NOT NULL,
	"door_device_id" uuid,
	"door_device_name" text,
	"door_opened_by" text,
	"note" text,
	"note_by" text,
	"parent_id" uuid,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "forward_rules" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"is_immediately" boolean DEFAULT false NOT NULL,
	"timeout" integer DEFAULT 10 NOT NULL,
	"redirect_if_error" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE "group_forward_numbers" (
	"queue_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"number_id" uuid,
	"phone" text,
	CONSTRAINT "group_forward_numbers_queue_id_position_pk" PRIMARY KEY("queue_id","position"),
	CONSTRAINT "group_forward_numbers_one" CHECK (num_nonnulls("group_forward_numbers"."number_id", "group_forward_numbers"."phone") = 1)
);
--> statement-breakpoint
CREATE TABLE "group_forward_queues" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"group_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"delay" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "group_forward_rules" (
	"group_id" uuid NOT NULL,
	"rule_id" uuid NOT NULL,
	CONSTRAINT "group_forward_rules_group_id_rule_id_pk" PRIMARY KEY("group_id","rule_id")
);
--> statement-breakpoint
CREATE TABLE "sip_number_forwards" (
	"number_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"picked_id" uuid,
	"phone" text,
	CONSTRAINT "sip_number_forwards_number_id_position_pk" PRIMARY KEY("number_id","position"),
	CONSTRAINT "sip_number_forwards_one" CHECK (num_nonnulls("sip_number_forwards"."picked_id", "sip_number_forwards"."phone") = 1)
);
--> statement-breakpoint
CREATE TABLE "sip_numbers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"project_id" uuid NOT NULL,
	"number" text NOT NULL,
	"name" text NOT NULL,
	"password_cipher" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"is_reserved" boolean DEFAULT false NOT NULL,
	"is_system" boolean DEFAULT false NOT NULL,
	"user_id" uuid,
	"device_id" uuid,
	"domain_id" uuid,
	"forward_mode" text DEFAULT 'disabled' NOT NULL,
	CONSTRAINT "sip_numbers_one_owner" CHECK (num_nonnulls("sip_numbers"."user_id", "sip_numbers"."device_id", "sip_numbers"."domain_id") <= 1)
);
--> statement-breakpoint
CREATE TABLE "sip_trunk_groups" (
	"trunk_id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	CONSTRAINT "sip_trunk_groups_trunk_id_group_id_pk" PRIMARY KEY("trunk_id","group_id")
);
--> statement-breakpoint
CREATE TABLE "sip_trunks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"termination_uri" text NOT NULL,
	"outgoing_number" text,
	"login" text,
	"password_cipher" text
);
--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "forward_enabled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "call_interceptions" ADD CONSTRAINT "call_interceptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "call_interceptions" ADD CONSTRAINT "call_interceptions_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calls" ADD CONSTRAINT "calls_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calls" ADD CONSTRAINT "calls_caller_user_id_users_id_fk" FOREIGN KEY ("caller_user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calls" ADD CONSTRAINT "calls_caller_device_id_devices_id_fk" FOREIGN KEY ("caller_device_id") REFERENCES "public"."devices"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calls" ADD CONSTRAINT "calls_caller_domain_id_groups_id_fk" FOREIGN KEY ("caller_domain_id") REFERENCES "public"."groups"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calls" ADD CONSTRAINT "calls_callee_user_id_users_id_fk" FOREIGN KEY ("callee_user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calls" ADD CONSTRAINT "calls_callee_device_id_devices_id_fk" FOREIGN KEY ("callee_device_id") REFERENCES "public"."devices"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calls" ADD CONSTRAINT "calls_callee_domain_id_groups_id_fk" FOREIGN KEY ("callee_domain_id") REFERENCES "public"."groups"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calls" ADD CONSTRAINT "calls_answered_by_user_id_users_id_fk" FOREIGN KEY ("answered_by_user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calls" ADD CONSTRAINT "calls_door_device_id_devices_id_fk" FOREIGN KEY ("door_device_id") REFERENCES "public"."devices"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calls" ADD CONSTRAINT "calls_parent_id_calls_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."calls"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "forward_rules" ADD CONSTRAINT "forward_rules_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_forward_numbers" ADD CONSTRAINT "group_forward_numbers_queue_id_group_forward_queues_id_fk" FOREIGN KEY ("queue_id") REFERENCES "public"."group_forward_queues"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_forward_numbers" ADD CONSTRAINT "group_forward_numbers_number_id_sip_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."sip_numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_forward_queues" ADD CONSTRAINT "group_forward_queues_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_forward_rules" ADD CONSTRAINT "group_forward_rules_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_forward_rules" ADD CONSTRAINT "group_forward_rules_rule_id_forward_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."forward_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sip_number_forwards" ADD CONSTRAINT "sip_number_forwards_number_id_sip_numbers_id_fk" FOREIGN KEY ("number_id") REFERENCES "public"."sip_numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sip_number_forwards" ADD CONSTRAINT "sip_number_forwards_picked_id_sip_numbers_id_fk" FOREIGN KEY ("picked_id") REFERENCES "public"."sip_numbers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sip_numbers" ADD CONSTRAINT "sip_numbers_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sip_numbers" ADD CONSTRAINT "sip_numbers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sip_numbers" ADD CONSTRAINT "sip_numbers_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sip_numbers" ADD CONSTRAINT "sip_numbers_domain_id_groups_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."groups"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sip_trunk_groups" ADD CONSTRAINT "sip_trunk_groups_trunk_id_sip_trunks_id_fk" FOREIGN KEY ("trunk_id") REFERENCES "public"."sip_trunks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sip_trunk_groups" ADD CONSTRAINT "sip_trunk_groups_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sip_trunks" ADD CONSTRAINT "sip_trunks_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "call_interceptions_active" ON "call_interceptions" USING btree ("project_id","is_active");--> statement-breakpoint
CREATE INDEX "calls_time" ON "calls" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "calls_caller" ON "calls" USING btree ("project_id","caller_number","created_at");--> statement-breakpoint
CREATE INDEX "calls_callee" ON "calls" USING btree ("project_id","callee_number","created_at");--> statement-breakpoint
CREATE INDEX "calls_answered" ON "calls" USING btree ("project_id","answered_by","created_at");--> statement-breakpoint
CREATE INDEX "calls_caller_device" ON "calls" USING btree ("caller_device_id");--> statement-breakpoint
CREATE INDEX "calls_caller_domain" ON "calls" USING btree ("caller_domain_id");--> statement-breakpoint
CREATE INDEX "calls_callee_domain" ON "calls" USING btree ("callee_domain_id");--> statement-breakpoint
CREATE INDEX "calls_live" ON "calls" USING btree ("project_id","created_at") WHERE "calls"."status" <> 'destroyed';--> statement-breakpoint
CREATE UNIQUE INDEX "forward_rules_name" ON "forward_rules" USING btree ("project_id",lower("name"));--> statement-breakpoint
CREATE INDEX "group_forward_numbers_back" ON "group_forward_numbers" USING btree ("number_id");--> statement-breakpoint
CREATE UNIQUE INDEX "group_forward_queues_order" ON "group_forward_queues" USING btree ("group_id","position");--> statement-breakpoint
CREATE INDEX "group_forward_rules_back" ON "group_forward_rules" USING btree ("rule_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sip_number_forwards_picked" ON "sip_number_forwards" USING btree ("picked_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sip_numbers_number" ON "sip_numbers" USING btree ("number");--> statement-breakpoint
CREATE UNIQUE INDEX "sip_numbers_device" ON "sip_numbers" USING btree ("device_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sip_numbers_domain" ON "sip_numbers" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "sip_numbers_order" ON "sip_numbers" USING btree ("project_id",lpad("number", 15, '0'),"id");--> statement-breakpoint
CREATE INDEX "sip_numbers_user" ON "sip_numbers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sip_numbers_created_by" ON "sip_numbers" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "sip_trunk_groups_back" ON "sip_trunk_groups" USING btree ("group_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sip_trunks_name" ON "sip_trunks" USING btree ("project_id",lower("name"));--> statement-breakpoint
CREATE INDEX "sip_trunks_created_by" ON "sip_trunks" USING btree ("created_by");--> statement-breakpoint
ALTER TABLE "mobile_clients" DROP COLUMN "sip_number";